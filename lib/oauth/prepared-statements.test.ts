import { afterAll, beforeAll, expect, it } from "vitest";
import { preparedIn, recorder } from "@/lib/postgres/testing-database";
import { tokenClient } from "./testing";

const { asked, debug } = recorder();

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient({ debug, max: 1 });
});
afterAll(() => client.bank.close());

/** PostgreSQL is asked for their types each time, and what is to go over their connection waits meanwhile. */
async function unprepared(): Promise<readonly string[]> {
  const sent = asked.filter(({ params }) => params.length > 0);
  const prepared = await preparedIn(client.bank);
  return sent.map(({ text }) => text).filter((text) => !prepared.has(text));
}

it("a code is redeemed, and a token refreshed, by statements that are prepared", async () => {
  const { back } = await client.authorised({ recurringIndicator: true });
  asked.length = 0;
  const redeemed = await client.redeem(back);
  expect(redeemed.status).toBe(200);
  expect(asked.length).toBeGreaterThan(5);
  expect(await unprepared()).toEqual([]);

  asked.length = 0;
  expect((await client.refresh(await redeemed.json())).status).toBe(200);
  expect(asked.length).toBeGreaterThan(5);
  expect(await unprepared()).toEqual([]);
});
