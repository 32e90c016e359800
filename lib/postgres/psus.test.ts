import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textLimits } from "@/lib/domain/psu";
import {
  type SignInThrottle,
  type ThrottleKey,
  throttleLimits,
} from "@/lib/domain/sign-in-throttle";
import { signInThrottleOf } from "@/lib/domain/testing/in-memory-psu";
import type { PsuId } from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { connect } from "./client";
import { signInThrottle } from "./psu-attempts";
import { textBudget } from "./psus";
import { fileDatabase, minutesOn, patientBounds, winners } from "./testing";

const database = await fileDatabase();

describe("wrong passwords of a network", () => {
  const throttle = signInThrottle(database.db);

  const key = () => crypto.randomUUID() as string as ThrottleKey;
  const keys = () => ({ network: key(), networkAndUser: key() });
  const take = (one: SignInThrottle, which: ReturnType<typeof keys>, minute = 0) =>
    one.take(which, throttleLimits(aspspProfile, minutesOn(minute)), minutesOn(minute));

  test("P5: of 100 parallel attempts of one network over four servers 3 for one user ID and 20 in all may be judged", async () => {
    const servers = [1, 2, 3, 4].map(() =>
      connect(database.url, { max: 5, bounds: patientBounds }),
    );
    const { network, networkAndUser } = keys();
    const admitted = async (which: () => ReturnType<typeof keys>) => {
      const each = servers.map(({ db }) => {
        const one = signInThrottle(db);
        return winners(25, async () => (await take(one, which())) === undefined);
      });
      return (await Promise.all(each)).reduce((sum, count) => sum + count, 0);
    };
    expect(await admitted(() => ({ network, networkAndUser }))).toBe(3);
    expect(await admitted(() => ({ network, networkAndUser: key() }))).toBe(17);
    await Promise.all(servers.map(({ close }) => close()));
  });

  test("whatever comes in whatever order is counted as the rule says in plain words", async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("one" as const, "other" as const, "new" as const) },
      { weight: 2, arbitrary: fc.constantFrom("right" as const, "back" as const) },
      { weight: 3, arbitrary: fc.constantFrom(0.1, 0.25, 15, 60, 1_440) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
        const plain = signInThrottleOf();
        const network = key();
        const users = { one: key(), other: key() };
        let minute = 0;
        for (const next of steps) {
          if (typeof next === "number") {
            minute += next;
            continue;
          }
          const user = next === "other" ? users.other : next === "new" ? key() : users.one;
          const which = { network, networkAndUser: user };
          if (next === "right") {
            await Promise.all([throttle.wasRight(which), plain.wasRight(which)]);
          } else if (next === "back") {
            await Promise.all([throttle.giveBack(which), plain.giveBack(which)]);
          } else
            expect(await take(throttle, which, minute)).toEqual(await take(plain, which, minute));
        }
      }),
      { numRuns: inputs(60) },
    );
  });

  test("what is old enough to be forgotten goes, no more at once than asked for", async () => {
    await database.sql`truncate sign_in_throttle`;
    await take(throttle, keys(), 0);
    const young = keys();
    await take(throttle, young, 1);
    const before = minutesOn(0.5);
    expect(await throttle.destroyForgotten(before, 1)).toBe(1);
    expect(await throttle.destroyForgotten(before, 9)).toBe(1);
    const kept = await database.sql`select key from sign_in_throttle order by key`;
    expect(kept.map((row) => row["key"])).toEqual(Object.values(young).toSorted());
  });
});

describe("the text messages of a PSU", () => {
  const newPsu = () => crypto.randomUUID() as string as PsuId;
  const max = aspspProfile.sca.textsPerHourMax;

  /** As one of several servers has it. */
  const take = (psuId: PsuId, minutes = 0) => {
    const at = minutesOn(minutes);
    return textBudget(database.db).take(psuId, textLimits(aspspProfile, at), at);
  };

  test("P6: of 60 texts to one PSU at a time as many go as an hour allows, and no more", async () => {
    const psu = newPsu();
    expect(await winners(60, () => take(psu))).toBe(max);
    expect(await take(psu, 59)).toBe(false);
    expect(await take(newPsu())).toBe(true);
  });

  test("P6: the hour goes with the clock: each text comes back an hour after it was sent", async () => {
    const psu = newPsu();
    for (let nth = 0; nth < max; nth += 1) expect(await take(psu, nth)).toBe(true);
    expect(await take(psu, 59.9)).toBe(false);
    expect(await take(psu, 60)).toBe(true);
    expect(await take(psu, 60)).toBe(false);
    expect(await take(psu, 61)).toBe(true);
  });

  test("what is out of the hour is kept no longer", async () => {
    const psu = newPsu();
    for (let nth = 0; nth < 3 * max; nth += 1) await take(psu, nth * 61);
    const [row] =
      await database.sql`select cardinality(sent) from psu_text_budget where psu_id = ${psu}`;
    expect(row).toEqual({ cardinality: 1 });
  });
});
