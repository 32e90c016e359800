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
  const [first, sameMinute] = [message(ana, 1, "111111"), message(ana, 1, "000000")];
  const afterClockWasSetBack = message(ana, -60, "222222");
  for (const each of [first, sameMinute, message(mihai, 3, "333333"), afterClockWasSetBack]) {
    await messages.keep(each);
  }
  expect(await messages.of(ana, 10)).toEqual([afterClockWasSetBack, sameMinute, first]);
  expect(await messages.of(ana, 1)).toEqual([afterClockWasSetBack]);
});
