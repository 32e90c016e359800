import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { attemptLimits, type PsuAttempts, type UserKey } from "@/lib/domain/sca/psu-attempts";
import { psuAttempts } from "./psu-attempts";
import { minutesOn, winners } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

const limitsAt = (minute: number) => attemptLimits(aspspProfile, minutesOn(minute));
const takeFrom = (attempts: PsuAttempts, user: UserKey, minute = 0) =>
  attempts.take(user, "second", limitsAt(minute), minutesOn(minute));

let database: TestDatabase;
let attempts: ReturnType<typeof psuAttempts>;
beforeAll(async () => {
  database = await testDatabase();
  // Waits for nothing.
  attempts = psuAttempts(database.db, 0);
});
afterAll(() => database.close());

const take = (user: UserKey, minute = 0) => takeFrom(attempts, user, minute);

describe("P5: while the last attempt is being judged, another one waits for what comes of it", () => {
  /** Would wait for ever, if nobody said. */
  const patient = () => psuAttempts(database.db, Number.POSITIVE_INFINITY);

  async function beforeTheLast(): Promise<UserKey> {
    const user = crypto.randomUUID() as string as UserKey;
    for (let tries = 0; tries < 4; tries += 1) await take(user);
    return user;
  }

  test("of five right answers at once all are judged, and nobody is blocked", async () => {
    const user = await beforeTheLast();
    const judge = async () => {
      const taken = await takeFrom(patient(), user);
      await attempts.giveBack(user, "second");
      return taken !== undefined;
    };
    expect(await winners(5, judge)).toBe(5);
    expect(await take(user)).toEqual({ attemptsLeft: 0 });
  });

  test("of five that end the row of failures all are judged, too", async () => {
    const user = await beforeTheLast();
    const judge = async () => {
      const taken = await takeFrom(patient(), user);
      await attempts.forget(user);
      return taken !== undefined;
    };
    expect(await winners(5, judge)).toBe(5);
    expect(await take(user)).toEqual({ attemptsLeft: 4 });
  });

  test("of 20 wrong ones at once one is judged, and all others are blocked", async () => {
    const user = await beforeTheLast();
    const judge = async () => {
      const taken = await takeFrom(patient(), user);
      if (taken?.attemptsLeft === 0) await attempts.block(user, minutesOn(0), limitsAt(0));
      return taken !== undefined;
    };
    expect(await winners(20, judge)).toBe(1);
  });

  test("a failure says nothing of an attempt that was taken after it", async () => {
    const user = await beforeTheLast();
    await take(user);
    // One of the four before it was right, and so another one is the last.
    await attempts.giveBack(user, "second");
    await take(user, 1);
    await attempts.block(user, minutesOn(0), limitsAt(0));
    const waits = takeFrom(patient(), user, 1);
    await attempts.giveBack(user, "second");
    expect(await waits).toEqual({ attemptsLeft: 0 });
  });

  test("a server that ends in between leaves a failure, which is waited for once and not for long", async () => {
    const user = await beforeTheLast();
    await take(user);
    expect(await takeFrom(psuAttempts(database.db, 1), user)).toBeUndefined();
    const later = takeFrom(psuAttempts(database.db, 60_000), user, 1);
    expect(await later).toBeUndefined();
    expect(await take(user, 15)).toEqual({ attemptsLeft: 4 });
  });
});
