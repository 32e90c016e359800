import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAccount, addCustomer, addEntries, bookedEntry } from "@/lib/core-bank/ledger/testing";
import { convert } from "@/lib/domain/bank-profile";
import { Rejection } from "@/lib/domain/errors";
import type { FundsRequest } from "@/lib/domain/funds";
import type { AccountId, ConsentId, Currency, Iban, Money, PsuId } from "@/lib/domain/values";
import { areAll, inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { forgetFundsSearches } from "./funds";
import {
  askForFunds,
  exampleTpp,
  fundsPortsOf,
  minutesOn,
  now,
  otherTpp,
  storesOf,
  type TestDatabase,
  testDatabase,
  validFunds,
} from "./testing";

describe("a search for the balance by funds checks", () => {
  const { search } = aspspProfile.fundsConfirmation;
  const CLOSEST = search.closestPercent / 100;
  const DAY = 86_400;
  const IBAN = "RO49DRWB1B31007593840000" as Iban;
  const RON = "RON" as Currency;
  const CURRENCIES = ["RON", "EUR", "HUF", "GBP"] as Currency[];

  let database: TestDatabase;
  let psuId: PsuId;
  let ports: ReturnType<typeof fundsPortsOf>;
  beforeAll(async () => {
    database = await testDatabase();
    const { db } = database;
    // Checks are not saved up here: what stops a search is to be the search.
    const fundsConfirmation = { ...aspspProfile.fundsConfirmation, checksSavedMax: 1_000_000 };
    const profile = { ...aspspProfile, fundsConfirmation } as typeof aspspProfile;
    ports = fundsPortsOf(db, profile);
    for (const tpp of [exampleTpp, otherTpp]) await storesOf(db).tpps.remember(tpp, now);
    psuId = await addCustomer(db, "Ana Popescu");
  });
  afterAll(() => database.close());

  const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const lei = (minorUnits: bigint): Money => ({ currency: RON, minorUnits });
  const valid = async (accountId: AccountId, tppId = exampleTpp.id) =>
    (await validFunds(storesOf(database.db), { psuId, accountId, tppId })).consentId;
  const move = (accountId: AccountId, amountMinor: bigint) =>
    addEntries(database.db, accountId, [{ ...bookedEntry(1), amountMinor }]);

  async function accountWith(available: bigint, consents = 1) {
    const accountId = await addAccount(database.db, { [psuId]: "owner" });
    await move(accountId, available);
    const ids: ConsentId[] = [];
    while (ids.length < consents) ids.push(await valid(accountId));
    return { accountId, consents: ids, consentId: ids[0] as ConsentId };
  }

  /** Undefined: 429. */
  async function ask(consentId: ConsentId, amount: Money, at = now, tppId = exampleTpp.id) {
    const request = { account: { iban: IBAN }, amount };
    return askForFunds(ports, { consentId, tppId, request, now: at }).catch((error: unknown) => {
      if (error instanceof Rejection && error.status === 429) return undefined;
      throw error;
    });
  }

  const events = (consentIds: readonly string[]) =>
    database.sql`select kind, tpp_id from event where kind = 'funds-search' and resource_id = any(string_to_array(${consentIds.join()}, ',')::uuid[])`;

  /** Where a search goes on between the highest yes and the lowest no; `nth` is how often it has asked. */
  type Strategy = (low: number, high: number, nth: number) => number;

  const strategies: Readonly<Record<string, Strategy>> = {
    "by halves": (low, high) => (low + high) / 2,
    "by halves of the logarithm": (low, high) => Math.sqrt(low * high),
    "upwards by a hundredth, from 45.00 on": (low) => Math.max(low, 45_00) * 1.01 + 1,
    "upwards in steps of 10.00, then of 0.10": (low, _, nth) => low + (nth < 60 ? 1_000 : 10),
    "downwards by a hundredth, from 330.00 on": (_, high) => Math.min(high, 330_00) / 1.01 - 1,
    "by halves, some cents beside": (low, high, nth) => (low + high) / 2 + ((nth * 7_919) % 97),
    "by thirds and elevenths in turn": (low, high, nth) => low + (high - low) / (nth % 2 ? 3 : 11),
    "upwards by as much as is always answered, then by halves": (low, high, nth) =>
      nth < 40 ? low * CLOSEST + 1 : (low + high) / 2,
  };

  type Search = {
    readonly everySeconds: number;
    readonly questions: number;
  };

  /** How many times the lowest no is of the highest yes in the end; a refused amount is passed over. */
  async function searched(available: bigint, strategy: Strategy, how: Search): Promise<number> {
    const { consents } = await accountWith(available, 3);
    let [low, high] = [1, 1e10];
    let refusedAt = 0;
    for (let nth = 0; nth < how.questions; nth += 1) {
      const away = 1 + (refusedAt * (high / low - 1)) / 40;
      const wanted = Math.round(strategy(low, high, nth) * (refusedAt === 0 ? 1 : away));
      if (wanted <= low || wanted >= high) {
        refusedAt = (refusedAt + 1) % 40;
        continue;
      }
      const to = CURRENCIES[nth % CURRENCIES.length] as Currency;
      const amount = convert(lei(BigInt(wanted)), to, aspspProfile);
      const asked = Number(convert(amount, RON, aspspProfile).minorUnits);
      const consentId = consents[nth % consents.length] as ConsentId;
      const answer = await ask(consentId, amount, secondsOn(nth * how.everySeconds));
      refusedAt = answer === undefined ? (refusedAt + 1) % 40 : 0;
      if (answer === true) low = Math.max(low, asked);
      if (answer === false) high = Math.min(high, asked);
    }
    return high / low;
  }

  describe("B13: a search for the balance", () => {
    const aDay = { everySeconds: 60, questions: 120 };
    const aMonth = { everySeconds: (29 * DAY) / 120, questions: 120 };
    const searches = [
      [123_45n, aDay],
      [8_431_17n, aMonth],
      [61_007_99n, aDay],
    ] as const;
    /** In `npm test` each strategy has one of them. */
    const ofStrategies = Object.entries(strategies).map(([name, strategy], nth) => {
      const own = searches.filter((_search, place) => areAll || place === nth % searches.length);
      return [name, strategy, own] as const;
    });

    test.each(ofStrategies)(
      "%s, by all consents and currencies, does not come closer than the profile says",
      async (_name, strategy, own) => {
        for (const [available, how] of own) {
          expect(await searched(available, strategy, how)).toBeGreaterThanOrEqual(CLOSEST);
        }
      },
      60_000,
    );

    test("whatever is asked: few answers are close to what is known, and without one it ends as far away", async () => {
      const amounts = fc.array(fc.integer({ min: 1, max: 4_000_00 }), {
        minLength: 30,
        maxLength: 90,
      });
      const somewhere = fc.integer({ min: 50_00, max: 3_000_00 });
      await fc.assert(
        fc.asyncProperty(amounts, somewhere, async (asked, available) => {
          const { consentId } = await accountWith(BigInt(available));
          let [low, high, close, different] = [0, Number.POSITIVE_INFINITY, 0, new Set<number>()];
          for (const [nth, amount] of asked.entries()) {
            const isNew = low < amount && amount < high;
            const isClose = isNew && (amount < low * CLOSEST || high < amount * CLOSEST);
            const answer = await ask(consentId, lei(BigInt(amount)), secondsOn(nth * 60));
            if (answer === undefined) continue;
            expect(answer).toBe(amount <= available);
            different = different.add(amount);
            if (isClose) close += 1;
            if (answer) low = Math.max(low, amount);
            else high = Math.min(high, amount);
          }
          expect(close).toBeLessThanOrEqual(search.closeAmountsMax);
          expect(different.size).toBeLessThanOrEqual(search.amountsMax);
          if (close === 0 && low > 0) expect(high / low).toBeGreaterThanOrEqual(CLOSEST);
        }),
        { numRuns: inputs(25) },
      );
    }, 60_000);

    test("of 200 questions at once, by several consents, no more are answered than one after the other", async () => {
      const { consents, accountId } = await accountWith(8_000_00n, 4);
      await ask(consents[0] as ConsentId, lei(1_000_00n));
      const close = Array.from({ length: 200 }, (_, nth) => lei(1_000_01n + BigInt(nth)));
      const answers = await Promise.all(
        close.map((one, nth) => ask(consents[nth % 4] as ConsentId, one)),
      );
      const answered = answers.filter((answer) => answer !== undefined);
      expect(answered.length).toBeGreaterThan(0);
      // A lower one that comes after a higher one tells nothing new: how many are close depends on their order.
      const [row] = await database.sql`
      select close_amounts, cardinality(asked_minor) as asked from funds_search
      where account_id = ${accountId}`;
      expect(row?.["close_amounts"]).toBeLessThanOrEqual(search.closeAmountsMax);
      expect(row?.["asked"]).toBe(answered.length + 1);
      expect((await events(consents)).length).toBeLessThanOrEqual(1);
    });

    test("by more amounts in 24 hours than the profile says is refused until the first is 24 hours old", async () => {
      const { consentId } = await accountWith(50_000_00n);
      const nth = (count: number) => lei(40_000_00n - BigInt(count));
      for (let count = 0; count < search.amountsMax; count += 1) {
        expect(await ask(consentId, nth(count), secondsOn(count))).toBe(true);
      }
      const request = { account: { iban: IBAN }, amount: nth(search.amountsMax) };
      await expect(
        askForFunds(ports, { consentId, request, now: secondsOn(100) }),
      ).rejects.toMatchObject({
        status: 429,
        faults: [{ code: "ACCESS_EXCEEDED" }],
        headers: { "retry-after": String(DAY - 100) },
      });
      expect(await ask(consentId, nth(0), secondsOn(101))).toBe(true);
      expect(await ask(consentId, nth(search.amountsMax), secondsOn(DAY - 1))).toBeUndefined();
      expect(await ask(consentId, nth(search.amountsMax), secondsOn(DAY))).toBe(true);
      expect(await events([consentId])).toHaveLength(1);
    });

    test("is recorded as an event once in 24 hours, and never with an amount", async () => {
      const { consentId } = await accountWith(1_000_00n);
      await ask(consentId, lei(900_00n));
      await ask(consentId, lei(1_500_00n));
      for (const seconds of [0, 60, DAY - 1, DAY, DAY + 60]) {
        expect(await ask(consentId, lei(1_100_00n), secondsOn(seconds))).toBeUndefined();
      }
      const rows = await database.sql`select to_jsonb(event) as row from event
      where kind = 'funds-search' and resource_id = ${consentId}`;
      expect(rows).toHaveLength(2);
      // As whole numbers: the digits occur in an event's ids and times by chance.
      expect(JSON.stringify(rows)).not.toMatch(
        /(?<![\w.:-])(1100|1000|900|1500)(00|\.00)?(?![\w-])/,
      );
    });

    test("by one TPP refuses nothing to another, nor tells it anything", async () => {
      const { accountId, consentId } = await accountWith(1_000_00n);
      const others = await valid(accountId, otherTpp.id);
      await ask(consentId, lei(900_00n));
      await ask(consentId, lei(1_500_00n));
      expect(await ask(consentId, lei(1_100_00n))).toBeUndefined();
      expect(await ask(others, lei(1_100_00n), now, otherTpp.id)).toBe(false);
    });
  });

  describe("what is known of the funds", () => {
    test("is forgotten once they have left it: the next purchase is answered", async () => {
      for (const moved of [2_000_00n, -500_00n]) {
        const { accountId, consentId } = await accountWith(1_000_00n);
        await ask(consentId, lei(900_00n));
        await ask(consentId, lei(1_500_00n));
        expect(await ask(consentId, lei(1_100_00n))).toBeUndefined();
        await move(accountId, moved);
        expect(await ask(consentId, lei(1_100_00n))).toBe(moved > 0n);
      }
    });

    test("is asked for again at no cost, by the same amount, and by one that was to be expected", async () => {
      const { accountId, consentId } = await accountWith(1_000_00n);
      await ask(consentId, lei(900_00n));
      await ask(consentId, lei(1_500_00n));
      const before =
        await database.sql`select xmin from funds_search where account_id = ${accountId}`;
      for (let times = 0; times < 30; times += 1) {
        expect(await ask(consentId, lei(900_00n), secondsOn(times))).toBe(true);
        expect(await ask(consentId, lei(1_500_00n), secondsOn(times))).toBe(false);
      }
      expect(
        await database.sql`select xmin from funds_search where account_id = ${accountId}`,
      ).toEqual(before);
      expect(await ask(consentId, lei(20_00n))).toBe(true);
      expect(await ask(consentId, lei(9_000_00n))).toBe(false);
    });

    test("holds for a month, unless the clock is set elsewhere", async () => {
      const { consentId } = await accountWith(1_000_00n);
      await ask(consentId, lei(900_00n));
      await ask(consentId, lei(1_500_00n));
      const closer = (seconds: number) => ask(consentId, lei(1_100_00n), secondsOn(seconds));
      const month = search.boundsKeptDays * DAY;
      expect(await closer(month - 1)).toBeUndefined();
      expect(await closer(-1 - DAY)).toBeUndefined();
      expect(await closer(-month)).toBe(false);
    });

    test("is removed by the sweep: amounts after 24 hours, the rest when it holds no more", async () => {
      const { accountId, consentId } = await accountWith(1_000_00n);
      await ask(consentId, lei(900_00n));
      await ask(consentId, lei(300_00n), secondsOn(2 * 3_600));
      const swept = async (seconds: number) => {
        await forgetFundsSearches(database.db, search, secondsOn(seconds), 10_000);
        const [row] = await database.sql`
        select to_jsonb(asked_minor) as asked, floor_minor::int as floor from funds_search
        where account_id = ${accountId}`;
        return row;
      };
      expect(await swept(DAY - 1)).toEqual({ asked: [90_000, 30_000], floor: 90_000 });
      expect(await swept(DAY)).toEqual({ asked: [30_000], floor: 90_000 });
      expect(await swept(26 * 3_600)).toEqual({ asked: [], floor: 90_000 });
      expect(await swept(search.boundsKeptDays * DAY - 1)).toEqual({ asked: [], floor: 90_000 });
      expect(await swept(search.boundsKeptDays * DAY)).toBeUndefined();
    });
  });

  test("B13: an ordinary card's purchases of three months are all answered", async () => {
    const { accountId, consentId } = await accountWith(6_000_00n);
    let state = 7;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    let refused = 0;
    for (let day = 0; day < 90; day += 1) {
      if (day % 30 === 29) await move(accountId, 5_000_00n);
      for (let nth = 0; nth < 4; nth += 1) {
        // Mostly small, some ten times as much.
        const amount = BigInt(Math.round(5_00 + 20_00 * (-Math.log(random())) ** 1.5));
        const answer = await ask(consentId, lei(amount), secondsOn(day * DAY + nth * 9_000));
        if (answer === undefined) refused += 1;
        if (answer) await move(accountId, -amount);
      }
    }
    expect(refused).toBe(0);
  }, 60_000);
});

describe("the log of funds checks", () => {
  let database: TestDatabase;
  let psuId: PsuId;
  let accounts: readonly AccountId[];
  let ports: ReturnType<typeof fundsPortsOf>;
  beforeAll(async () => {
    database = await testDatabase();
    const { db } = database;
    ports = fundsPortsOf(db);
    await storesOf(db).tpps.remember(exampleTpp, now);
    psuId = await addCustomer(db, "Ana Popescu");
    const owner = { [psuId]: "owner" } as const;
    accounts = [
      await addAccount(db, owner),
      await addAccount(db, owner, { status: "blocked" }),
      crypto.randomUUID() as string as AccountId,
    ];
  });
  afterAll(() => database.close());

  const IBAN = "RO49DRWB1B31007593840000" as Iban;
  const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);
  const currencies = one<Currency | undefined>(undefined, "RON" as Currency, "EUR" as Currency);
  const cards = one(undefined, "4000 0001", "4000 0002");

  const consents = fc.record({ account: one(0, 1, 2), currency: currencies, cardNumber: cards });
  const requests = fc.record({
    iban: one(IBAN, IBAN, "RO02DRWB0000000000000009" as Iban),
    currency: currencies,
    cardNumber: cards,
    amountCurrency: one("RON" as Currency, "EUR" as Currency, "XAU" as Currency),
  });

  test("a check is in the access history exactly when it was answered, yes or no", async () => {
    await fc.assert(
      fc.asyncProperty(consents, requests, async (consent, asked) => {
        const { consentId, accountId } = await validFunds(storesOf(database.db), {
          psuId,
          accountId: accounts[consent.account] as AccountId,
          account: { iban: IBAN, ...(consent.currency && { currency: consent.currency }) },
          ...(consent.cardNumber && { cardNumber: consent.cardNumber }),
        });
        const request: FundsRequest = {
          account: { iban: asked.iban, ...(asked.currency && { currency: asked.currency }) },
          amount: { currency: asked.amountCurrency, minorUnits: 100n },
          ...(asked.cardNumber && { cardNumber: asked.cardNumber }),
        };
        const answered = await askForFunds(ports, { consentId, request, now: minutesOn(1) }).then(
          () => true,
          () => false,
        );
        const lines = await database.sql`select what, tpp_id, account_id, attended,
          request_id is not null as named from access_log
        where consent_id = ${consentId} and at = ${minutesOn(1).toISOString()}`;
        const line = { what: "funds-check", tpp_id: exampleTpp.id, account_id: accountId };
        expect(lines).toEqual(answered ? [{ ...line, attended: false, named: true }] : []);
      }),
      { numRuns: inputs(120) },
    );
  });

  test("of checks beyond the budget none is in the access history", async () => {
    const { consentId } = await validFunds(storesOf(database.db), {
      psuId,
      accountId: accounts[0] as AccountId,
    });
    const amount = { currency: "RON" as Currency, minorUnits: 100n };
    const request = { account: { iban: IBAN }, amount };
    const ask = () => askForFunds(ports, { consentId, request, now });
    await Promise.allSettled(Array.from({ length: 50 }, ask));
    const [row] = await database.sql`select count(*)::int from access_log
    where consent_id = ${consentId}`;
    expect(row).toEqual({ count: aspspProfile.fundsConfirmation.checksSavedMax });
  });
});
