import { afterAll, beforeAll, expect, test } from "vitest";
import { messageStore } from "./message-store";
import { ana, mihai, minutesOn } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const message = (psuId: typeof ana, minute: number, code: string) => ({
  psuId,
  sentAt: minutesOn(minute),
  text: `Drawbridge Bank: your code is ${code}`,
  code,
});

test("a phone shows its PSU's messages, newest first, up to the limit", async () => {
  const messages = messageStore(database.db);
  const [late, early, sameMinute] = [
    message(ana, 2, "222222"),
    message(ana, 1, "111111"),
    message(ana, 1, "000000"),
  ];
  for (const each of [late, early, sameMinute, message(mihai, 3, "333333")]) {
    await messages.keep(each);
  }
  expect(await messages.of(ana, 10)).toEqual([late, sameMinute, early]);
  expect(await messages.of(ana, 1)).toEqual([late]);
});
