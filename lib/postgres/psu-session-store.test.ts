import { afterAll, beforeAll, expect, test } from "vitest";
import { psuSessionStore } from "./psu-session-store";
import { ana, mihai, minutesOn, now } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let sessions: ReturnType<typeof psuSessionStore>;
beforeAll(async () => {
  database = await testDatabase();
  sessions = psuSessionStore(database.db);
});
afterAll(() => database.close());

let opened = 0;
async function open(): Promise<string> {
  opened += 1;
  await sessions.open(`session-${opened}`, ana, now);
  return `session-${opened}`;
}
const touch = (hash: string, minutes: number) => sessions.touch(hash, minutesOn(minutes), 5, 15);
const second = 1 / 60;

test("RTS 4(3)(d): a session lives for 5 minutes without activity and not a second longer", async () => {
  expect(await touch(await open(), 5 - second)).toBe(ana);
  expect(await touch(await open(), 5)).toBe(ana);
  expect(await touch(await open(), 5 + second)).toBeUndefined();
});

test("activity prolongs the session, up to its longest life", async () => {
  const hash = await open();
  for (const minute of [4, 8, 12, 15]) expect(await touch(hash, minute)).toBe(ana);
  expect(await touch(hash, 15 + second)).toBeUndefined();
});

test("asking for a dead session does not revive it", async () => {
  const hash = await open();
  expect(await touch(hash, 6)).toBeUndefined();
  expect(await touch(hash, 5 + second)).toBeUndefined();
});

test("a slow request does not turn the last activity back", async () => {
  const hash = await open();
  await touch(hash, 4);
  await touch(hash, 1);
  expect(await touch(hash, 8)).toBe(ana);
});

test("P12: a revoked session is dead at once, and stays as it was revoked", async () => {
  const hash = await open();
  await sessions.revoke(hash, minutesOn(1));
  expect(await touch(hash, 1)).toBeUndefined();
  await sessions.revoke(hash, minutesOn(2));
  const rows = await database.sql`select (revoked_at = ${minutesOn(1).toISOString()}) as first
    from psu_session where id_hash = ${hash}`;
  expect(rows).toEqual([{ first: true }]);
});

test("P12: revoking one session leaves the others", async () => {
  const [ended, other] = [await open(), await open()];
  await sessions.revoke(ended, now);
  expect(await touch(other, 1)).toBe(ana);
});

test("an unknown session is nobody's, and a taken id is not given to another PSU", async () => {
  expect(await touch("unknown", 0)).toBeUndefined();
  const hash = await open();
  await expect(sessions.open(hash, mihai, now)).rejects.toThrow();
  expect(await touch(hash, 1)).toBe(ana);
});
