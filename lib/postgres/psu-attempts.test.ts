import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type AccountConsent, createAccountConsent } from "@/lib/domain/consents";
import type { Ports } from "@/lib/domain/ports";
import {
  type AttemptMeans,
  attemptLimits,
  type PsuAttempts,
  type UserKey,
  userKeys,
} from "@/lib/domain/psu-attempts";
import { completeAuthorisation, identifyPsu, selectAccounts } from "@/lib/domain/sca";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { psuAttemptsOf } from "@/lib/domain/testing/in-memory-psu";
import { current, speltOut } from "@/lib/domain/testing/samples";
import type { IsoDate, PsuId, RequestId, TppId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { connect } from "./client";
import { psuAttempts } from "./psu-attempts";
import { exampleTpp, minutesOn, now, patientBounds, testStores, winners } from "./testing";

const { database, stores } = await testStores();

describe("the failures of a user ID", () => {
  const day = 1_440;
  /** Where no attempt is ever judged, waiting for it would only take time. */
  const unjudged = 0;
  const limitsAt = (minute: number) => attemptLimits(aspspProfile, minutesOn(minute));
  const takeFrom = (
    attempts: PsuAttempts,
    user: UserKey,
    minute = 0,
    means: AttemptMeans = "password",
  ) => attempts.take(user, means, limitsAt(minute), minutesOn(minute));

  const attempts = psuAttempts(database.db, unjudged);

  const somebody = () => crypto.randomUUID() as string as UserKey;
  const take = (user: UserKey, minute = 0) => takeFrom(attempts, user, minute);
  const takeCode = (user: UserKey, minute = 0) => takeFrom(attempts, user, minute, "code");

  /** Five failures at these minutes each. */
  async function blocked(minutes: readonly number[], taken = take): Promise<UserKey> {
    const user = somebody();
    for (const minute of minutes) {
      for (const attemptsLeft of [4, 3, 2, 1, 0]) {
        expect(await taken(user, minute)).toEqual({ attemptsLeft });
      }
    }
    return user;
  }

  test("P5: of 100 parallel attempts over four servers exactly 5 may be judged", async () => {
    const servers = [1, 2, 3, 4].map(() =>
      connect(database.url, { max: 5, bounds: patientBounds }),
    );
    const user = somebody();
    const counted = servers.map(({ db }) => psuAttempts(db, unjudged));
    const perServer = await Promise.all(
      counted.map((server) =>
        winners(25, async () => (await takeFrom(server, user)) !== undefined),
      ),
    );
    expect(perServer.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(await take(user)).toBeUndefined();
    await Promise.all(servers.map(({ close }) => close()));
  });

  test("P5: the fifth failure blocks for 15 minutes, to the millisecond; then the count starts again", async () => {
    const user = await blocked([0]);
    expect(await take(user)).toBeUndefined();
    const almost = new Date(minutesOn(15).getTime() - 1);
    const limits = attemptLimits(aspspProfile, almost);
    expect(await attempts.take(user, "password", limits, almost)).toBeUndefined();
    expect(await take(user, 15)).toEqual({ attemptsLeft: 4 });
  });

  test("P5: while it is blocked an attempt does not prolong the block", async () => {
    const user = await blocked([0]);
    for (const minute of [1, 14]) expect(await take(user, minute)).toBeUndefined();
    expect(await take(user, 15)).toBeDefined();
  });

  test("P5: of 100 parallel attempts at the end of a block exactly 5 may be judged", async () => {
    const user = await blocked([0]);
    expect(await winners(100, async () => (await take(user, 15)) !== undefined)).toBe(5);
  });

  test("P5: wrong passwords block for 15 minutes, again and again, and never for good", async () => {
    const rounds = Array.from({ length: 20 }, (_, nth) => 15 * nth);
    const user = await blocked(rounds);
    expect(await take(user, 299)).toBeUndefined();
    expect(await take(user, 300)).toEqual({ attemptsLeft: 4 });
    expect(await attempts.isBlockedForGood(user, limitsAt(300))).toBe(false);
  });

  test("P5: a block counted with the bank's former secret holds with its next one, whichever server is asked", async () => {
    const former = await blocked([0, 15], takeCode);
    const [next, unknown] = [somebody(), somebody()];
    await Promise.all([attempts.rename(next, [unknown, former]), attempts.rename(next, [former])]);
    expect(await takeCode(next, 31 * day)).toBeUndefined();
    expect(await takeCode(former, 31 * day)).toBeDefined();
    // Another server still begins its list with the former one.
    await attempts.rename(former, [next]);
    expect(await attempts.isBlockedForGood(former, limitsAt(31 * day))).toBe(true);
  });

  test("P5: ten wrong codes since the last success block codes for good, whatever passwords did between", async () => {
    const user = await blocked([0, 15], takeCode);
    expect(await attempts.isBlockedForGood(user, limitsAt(15))).toBe(true);
    for (const minute of [15, 30, 31 * day, 3_650 * day]) {
      expect(await takeCode(user, minute)).toBeUndefined();
    }
    const slow = somebody();
    for (let nth = 0; nth < 10; nth += 1) {
      const { attemptsLeft = 0 } = (await takeCode(slow, 60 * nth)) ?? {};
      expect(attemptsLeft > 0).toBe(nth < 9);
      if (nth < 9) for (const minute of [1, 2, 3, 4]) await take(slow, 60 * nth + 15 + minute);
    }
    expect(await takeCode(slow, 700)).toBeUndefined();
    expect(await take(slow, 700)).toBeDefined();
  });

  test("P5: what blocks codes for good lets passwords be judged, so that nobody learns of it without one", async () => {
    const user = await blocked([0, 15], takeCode);
    expect(await take(user, 30)).toEqual({ attemptsLeft: 4 });
  });

  test("P5: the bank lifts a block for good", async () => {
    const user = await blocked([0, 15], takeCode);
    expect(await attempts.forget(user)).toBe(true);
    expect(await attempts.forget(user)).toBe(false);
    expect(await takeCode(user, 31)).toEqual({ attemptsLeft: 4 });
  });

  test("RTS 4(4): each notice is due once in a row of failures, however many servers find the block", async () => {
    const user = somebody();
    const five = async (minute: number, taken: typeof take) => {
      for (let nth = 0; nth < 5; nth += 1) await taken(user, minute);
      const notices = await Promise.all(
        Array.from({ length: 8 }, () => attempts.block(user, minutesOn(minute), limitsAt(minute))),
      );
      return notices.filter((notice) => notice !== undefined);
    };
    expect(await five(0, take)).toEqual(["blocked"]);
    expect(await five(15, take)).toEqual([]);
    expect(await five(30, takeCode)).toEqual(["warned"]);
    expect(await five(45, take)).toEqual([]);
    expect(await five(60, takeCode)).toEqual(["blocked-for-good"]);
    await attempts.forget(user);
    expect(await five(75, take)).toEqual(["blocked"]);
    // A day later the row is forgotten, with its notices.
    expect(await five(75 + day, take)).toEqual(["blocked"]);
  });

  test("RTS 4(4): of two servers that find a block at the same moment one has the notice to send", async () => {
    const servers = [1, 2].map(() => connect(database.url, { max: 1, bounds: patientBounds }));
    const user = await blocked([0]);
    const found: Promise<string | undefined>[] = [];
    await database.sql.begin(async (sql) => {
      await sql`select from psu_attempts where user_key = ${user} for update`;
      for (const { db } of servers) {
        found.push(psuAttempts(db, unjudged).block(user, minutesOn(0), limitsAt(0)));
      }
      const waiting = async () => {
        // On another connection: a transaction sees the others as they were when it first looked.
        const [row] = await database.sql`select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
        expect(row?.["count"]).toBe(servers.length);
      };
      await vi.waitFor(waiting, { timeout: 60_000, interval: 20 });
    });
    expect((await Promise.all(found)).toSorted()).toEqual(["blocked", undefined]);
    await Promise.all(servers.map(({ close }) => close()));
  });

  test("P5: after a success the next block is a first one", async () => {
    const user = await blocked([0]);
    await take(user, 15);
    await attempts.forget(user);
    for (let tries = 0; tries < 5; tries += 1) await take(user, 16);
    expect(await take(user, 30)).toBeUndefined();
    expect(await take(user, 31)).toEqual({ attemptsLeft: 4 });
  });

  test("what is given back is one attempt, not the failures before it, and never more than there were", async () => {
    const user = somebody();
    for (let tries = 0; tries < 3; tries += 1) await take(user);
    await attempts.giveBack(user, "password");
    expect(await take(user)).toEqual({ attemptsLeft: 2 });
    for (let times = 0; times < 9; times += 1) await attempts.giveBack(user, "password");
    expect(await take(user)).toEqual({ attemptsLeft: 4 });
    await attempts.giveBack(somebody(), "password");
  });

  test("one user ID's failures are not another's", async () => {
    await blocked([0]);
    expect(await take(somebody())).toEqual({ attemptsLeft: 4 });
  });

  test("30 days without an attempt end a row of failures, a day one of passwords alone, and neither a block for good", async () => {
    await database.sql`truncate psu_attempts`;
    const [few, codes, forGood] = [somebody(), somebody(), await blocked([0, 15], takeCode)];
    await take(few);
    await takeCode(codes);
    const moment = 1 / 60_000;
    expect(await attempts.destroyForgotten(limitsAt(day - moment), 100)).toBe(0);
    expect(await take(few, day - moment)).toEqual({ attemptsLeft: 3 });
    expect(await take(few, 2 * day)).toEqual({ attemptsLeft: 4 });
    expect(await takeCode(codes, 30 * day - moment)).toEqual({ attemptsLeft: 3 });
    expect(await takeCode(codes, 60 * day)).toEqual({ attemptsLeft: 4 });
    await attempts.destroyForgotten(limitsAt(90 * day), 100);
    const kept = await database.sql`select user_key from psu_attempts`;
    expect(kept).toEqual([{ user_key: forGood }]);
  });

  test("no more go at once than asked for, the oldest first", async () => {
    await database.sql`truncate psu_attempts`;
    const [old, older] = [somebody(), somebody()];
    await take(old, 1);
    await take(older, 0);
    expect(await attempts.destroyForgotten(limitsAt(31 * day), 1)).toBe(1);
    expect(await database.sql`select user_key from psu_attempts`).toEqual([{ user_key: old }]);
  });

  type Step = AttemptMeans | "giveBack" | "forget" | "block";

  /** One step at the database and in plain words. */
  async function same(
    step: Step,
    user: UserKey,
    minute: number,
    plain: PsuAttempts,
  ): Promise<void> {
    const limits = limitsAt(minute);
    const both = async (done: (one: PsuAttempts) => Promise<unknown>) =>
      expect(await done(attempts)).toEqual(await done(plain));
    if (step === "giveBack") await both((one) => one.giveBack(user, "code"));
    else if (step === "forget") await both((one) => one.forget(user));
    else if (step === "block") await both((one) => one.block(user, minutesOn(minute), limits));
    else await both((one) => takeFrom(one, user, minute, step));
    await both((one) => one.isBlockedForGood(user, limits));
  }

  test("whatever comes in whatever order is counted as the rule says in plain words", async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("password" as const, "code" as const) },
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
          else await same(next, user, minute, plain);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("an attempt that is being judged", () => {
  const limitsAt = (minute: number) => attemptLimits(aspspProfile, minutesOn(minute));
  const takeFrom = (attempts: PsuAttempts, user: UserKey, minute = 0) =>
    attempts.take(user, "code", limitsAt(minute), minutesOn(minute));

  // Waits for nothing.
  const attempts = psuAttempts(database.db, 0);

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
        await attempts.giveBack(user, "code");
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
      await attempts.giveBack(user, "code");
      await take(user, 1);
      await attempts.block(user, minutesOn(0), limitsAt(0));
      const waits = takeFrom(patient(), user, 1);
      await attempts.giveBack(user, "code");
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
});

describe("a blocked user ID", () => {
  const tpps = Array.from({ length: 10 }, (_, nth) => ({
    ...exampleTpp,
    id: `PSDRO-NBR-${nth}` as TppId,
  }));

  beforeAll(async () => {
    for (const tpp of tpps) await stores.tpps.remember(tpp, now);
  });

  /** A PSU of its own, at the use cases over the real stores; what is behind them is in memory. */
  function somebody() {
    const { bank, ports: ofTheBank } = inMemoryBank();
    const { consents, authorisations, psuAttempts, tpps: tppRegister } = stores;
    const ports = { ...ofTheBank, consents, authorisations, psuAttempts, tppRegister };
    const verifyPassword = vi.spyOn(ports.psuDirectory, "verifyPassword");
    const equal = vi.spyOn(ports.oneTimeCodes, "matches");
    const userId = `psu-${crypto.randomUUID()}`;
    const right = `${userId}-sandbox`;
    bank.accountsOf.set(userId as PsuId, [current]);

    /** An authorisation of the nth TPP's consent, received at this minute, at which all else is done. */
    async function authorisation(nth = 0, minute = 0) {
      const at = minutesOn(minute);
      const { authorisationId } = await received(ports, nth, at);
      const find = async () => {
        const found = await authorisations.find(authorisationId);
        if (found === undefined) throw new Error("no authorisation");
        return found;
      };
      const signIn = async (password: string) => {
        const asked = { authorisation: await find(), userId, password, now: at };
        return (await identifyPsu(ports, asked)).outcome;
      };
      const confirm = async (code: string) => {
        const proof = { method: "code", code } as const;
        const asked = { authorisation: await find(), proof, now: at };
        return (await completeAuthorisation(ports, asked)).outcome;
      };
      /** Signs in and has the code sent, which comes back. */
      const sentCode = async () => {
        await signIn(right);
        await selectAccounts(ports, {
          authorisation: await find(),
          selected: [current.id],
          wording: speltOut,
          now: at,
        });
        return bank.texts.at(-1)?.code ?? "none";
      };
      return { find, signIn, confirm, sentCode };
    }
    const unlock = () => psuAttempts.forget(userKeys(ports.oneTimeCodes, userId)[0]);
    return { authorisation, verifyPassword, equal, unlock, right };
  }

  async function received(ports: Ports, nth: number, at: Date): Promise<AccountConsent> {
    const rights = { balances: true, transactions: true, ownerName: false };
    const { consent } = await createAccountConsent(ports, {
      tpp: tpps[nth % tpps.length] ?? exampleTpp,
      requestId: crypto.randomUUID() as string as RequestId,
      bodyDigest: "digest",
      request: {
        requestedAccess: {},
        access: { model: "bankOffered", rights, named: [] },
        recurringIndicator: true,
        validUntil: "2027-05-01" as IsoDate,
        frequencyPerDay: 4,
      },
      redirectUris: { redirectUri: "https://tpp.example/ok" },
      now: at,
    });
    return consent;
  }

  test("P5: of 100 parallel wrong codes over 10 authorisations of 10 TPPs exactly 5 are compared, then all are blocked", async () => {
    const { authorisation, equal, right } = somebody();
    const open = await Promise.all(
      tpps.map(async (_tpp, nth) => {
        const one = await authorisation(nth);
        return { ...one, code: await one.sentCode() };
      }),
    );
    const guesses = Array.from({ length: 10 }, () => open.map(({ confirm }) => confirm("000000")));
    const outcomes = (await Promise.all(guesses.flat())) as readonly string[];
    expect(equal).toHaveBeenCalledTimes(5);
    expect(outcomes.filter((outcome) => outcome === "wrong-code").length).toBeLessThan(5);

    for (const { confirm, code, find } of open) {
      expect(await confirm(code)).toBe("ended");
      expect(await find()).toMatchObject({ scaStatus: "failed" });
    }
    const next = await authorisation();
    expect(await next.signIn(right)).toBe("ended");
    expect((await next.find()).failedBecause).toBe("psu-blocked");
    expect(equal).toHaveBeenCalledTimes(5);
  });

  test("P5: of 100 parallel wrong passwords over 20 authorisations exactly 5 are verified, then all are blocked", async () => {
    const { authorisation, verifyPassword, right } = somebody();
    const open = await Promise.all(Array.from({ length: 20 }, (_, nth) => authorisation(nth)));
    const guesses = Array.from({ length: 5 }, () => open.map(({ signIn }) => signIn("wrong")));
    await Promise.all(guesses.flat());
    expect(verifyPassword).toHaveBeenCalledTimes(5);
    for (const { signIn } of open) expect(await signIn(right)).toBe("ended");
    expect(verifyPassword).toHaveBeenCalledTimes(5);
  });

  test("P5: parallel sign-ins with the right password give every attempt back", async () => {
    const { authorisation, right } = somebody();
    for (let round = 0; round < 5; round += 1) {
      const open = await Promise.all([1, 2, 3, 4, 5].map((nth) => authorisation(nth)));
      const outcomes = await Promise.all(open.map(({ signIn }) => signIn(right)));
      expect(new Set(outcomes)).toEqual(new Set(["authenticated"]));
    }
  });

  test("P5: a block by wrong passwords ends after 15 minutes, each time", async () => {
    const { authorisation, right } = somebody();
    const trying = async (minute: number, word: string) =>
      (await authorisation(0, minute)).signIn(word);
    for (const minute of [0, 15, 30, 45]) {
      for (const expected of [...Array.from({ length: 4 }, () => "wrong-credentials"), "ended"]) {
        expect(await trying(minute, "wrong")).toBe(expected);
      }
      expect(await trying(minute + 14.99, right)).toBe("ended");
    }
    expect(await trying(60, right)).toBe("authenticated");
  });

  test("P5: five wrong codes block, five more do so until the bank lifts it", async () => {
    const { authorisation, right, unlock } = somebody();
    for (const minute of [0, 15]) {
      const { sentCode, confirm } = await authorisation(0, minute);
      await sentCode();
      const outcomes: string[] = [];
      for (let tries = 0; tries < 5; tries += 1) outcomes.push(await confirm("000000"));
      expect(outcomes).toEqual([...Array.from({ length: 4 }, () => "wrong-code"), "ended"]);
    }
    for (const minute of [15, 30, 60 * 1_440]) {
      expect(await (await authorisation(0, minute)).signIn(right)).toBe("ended");
    }
    expect(await unlock()).toBe(true);
    expect(await (await authorisation(0, 31)).signIn(right)).toBe("authenticated");
  });

  test("P5: a completed SCA after the first block makes the next block a first one", async () => {
    const { authorisation, right } = somebody();
    const trying = async (minute: number, word: string) =>
      (await authorisation(0, minute)).signIn(word);
    for (let tries = 0; tries < 5; tries += 1) await trying(0, "wrong");
    const { sentCode, confirm } = await authorisation(0, 15);
    expect(await confirm(await sentCode())).toBe("finalised");
    for (let tries = 0; tries < 5; tries += 1) await trying(16, "wrong");
    expect(await trying(30.99, right)).toBe("ended");
    expect(await trying(31, right)).toBe("authenticated");
  });
});
