import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { attemptLimits, type PsuAttempts, type UserKey } from "@/lib/domain/sca/psu-attempts";
import { psuAttemptsOf } from "@/lib/domain/testing/in-memory-psu-attempts";
import { connect } from "./client";
import { psuAttempts } from "./psu-attempts";
import { minutesOn, winners } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

const day = 1_440;
/** Where no attempt is ever judged, waiting for it would only take time. */
const unjudged = 0;
const limitsAt = (minute: number) => attemptLimits(aspspProfile, minutesOn(minute));
const takeFrom = (attempts: PsuAttempts, user: UserKey, minute = 0) =>
  attempts.take(user, limitsAt(minute), minutesOn(minute));

let database: TestDatabase;
let attempts: ReturnType<typeof psuAttempts>;
beforeAll(async () => {
  database = await testDatabase();
  attempts = psuAttempts(database.db, unjudged);
});
afterAll(() => database.close());

const somebody = () => crypto.randomUUID() as string as UserKey;
const take = (user: UserKey, minute = 0) => takeFrom(attempts, user, minute);

/** Five failures at these minutes each. */
async function blocked(...minutes: readonly number[]): Promise<UserKey> {
  const user = somebody();
  for (const minute of minutes) {
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      expect(await take(user, minute)).toEqual({ attemptsLeft });
    }
  }
  return user;
}

test("P5: of 100 parallel attempts over four servers exactly 5 may be judged", async () => {
  const servers = [1, 2, 3, 4].map(() => connect(database.url, { max: 5, togetherMax: 1 }));
  const user = somebody();
  const counted = servers.map(({ db }) => psuAttempts(db, unjudged));
  const perServer = await Promise.all(
    counted.map((server) => winners(25, async () => (await takeFrom(server, user)) !== undefined)),
  );
  expect(perServer.reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(await take(user)).toBeUndefined();
  await Promise.all(servers.map(({ close }) => close()));
});

test("P5: the fifth failure blocks for 15 minutes, to the millisecond; then the count begins anew", async () => {
  const user = await blocked(0);
  expect(await take(user)).toBeUndefined();
  const almost = new Date(minutesOn(15).getTime() - 1);
  expect(await attempts.take(user, attemptLimits(aspspProfile, almost), almost)).toBeUndefined();
  expect(await take(user, 15)).toEqual({ attemptsLeft: 4 });
});

test("P5: while it is blocked an attempt does not prolong the block", async () => {
  const user = await blocked(0);
  for (const minute of [1, 14]) expect(await take(user, minute)).toBeUndefined();
  expect(await take(user, 15)).toBeDefined();
});

test("P5: of 100 parallel attempts at the end of a block exactly 5 may be judged", async () => {
  const user = await blocked(0);
  expect(await winners(100, async () => (await take(user, 15)) !== undefined)).toBe(5);
});

test("P5: the second block in a row stays until the bank lifts it", async () => {
  const user = await blocked(0, 15);
  for (const minute of [15, 30, 31 * day, 3_650 * day]) {
    expect(await take(user, minute)).toBeUndefined();
  }
  expect(await attempts.forget(user)).toBe(true);
  expect(await attempts.forget(user)).toBe(false);
  expect(await take(user, 31)).toEqual({ attemptsLeft: 4 });
});

test("P5: after a success the next block is a first one", async () => {
  const user = await blocked(0);
  await take(user, 15);
  await attempts.forget(user);
  for (let tries = 0; tries < 5; tries += 1) await take(user, 16);
  expect(await take(user, 30)).toBeUndefined();
  expect(await take(user, 31)).toEqual({ attemptsLeft: 4 });
});

test("what is given back is one attempt, not the failures before it, and never more than there were", async () => {
  const user = somebody();
  for (let tries = 0; tries < 3; tries += 1) await take(user);
  await attempts.giveBack(user);
  expect(await take(user)).toEqual({ attemptsLeft: 2 });
  for (let times = 0; times < 9; times += 1) await attempts.giveBack(user);
  expect(await take(user)).toEqual({ attemptsLeft: 4 });
  await attempts.giveBack(somebody());
});

test("one user ID's failures are not another's", async () => {
  await blocked(0);
  expect(await take(somebody())).toEqual({ attemptsLeft: 4 });
});

test("30 days without an attempt end a row of failures, and no block for good", async () => {
  const [few, once, forGood] = [somebody(), await blocked(0), await blocked(0, 15)];
  await take(few);
  const almost = 30 * day - 1 / 60_000;
  expect(await attempts.destroyForgotten(limitsAt(almost), 100)).toBe(0);
  expect(await take(few, almost)).toEqual({ attemptsLeft: 3 });
  expect(await take(few, 60 * day)).toEqual({ attemptsLeft: 4 });
  expect(await take(once, 30 * day)).toEqual({ attemptsLeft: 4 });
  await attempts.destroyForgotten(limitsAt(90 * day), 100);
  const kept = await database.sql`select user_key from psu_attempts`;
  expect(kept.map(({ user_key }) => user_key)).toContain(forGood);
  expect(kept.map(({ user_key }) => user_key)).not.toContain(few);
});

test("no more go at once than asked for, the oldest first", async () => {
  await database.sql`truncate psu_attempts`;
  const [old, older] = [somebody(), somebody()];
  await take(old, 1);
  await take(older, 0);
  expect(await attempts.destroyForgotten(limitsAt(31 * day), 1)).toBe(1);
  expect(await database.sql`select user_key from psu_attempts`).toEqual([{ user_key: old }]);
});

test("whatever comes in whatever order is counted as the rule says in plain words", async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constant("take" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("giveBack" as const, "forget" as const, "block" as const),
    },
    { weight: 2, arbitrary: fc.constantFrom(1, 14, 15, 16, 29 * day, 30 * day) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      const [user, plain] = [somebody(), psuAttemptsOf(new Map())];
      let minute = 0;
      for (const next of steps) {
        if (typeof next === "number") minute += next;
        else if (next === "take")
          expect(await take(user, minute)).toEqual(await takeFrom(plain, user, minute));
        else {
          const at = minutesOn(minute);
          expect(await attempts[next](user, at)).toEqual(await plain[next](user, at));
        }
      }
    }),
    { numRuns: 60 },
  );
});
