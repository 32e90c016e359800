import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  pendingEntry,
} from "@/lib/core-bank/ledger/testing";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { FundsCheck, FundsQuestion } from "@/lib/domain/funds-confirmation/funds-check";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import { addDays } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import { fundsCheck } from "./funds-check";
import { exampleTpp, minutesOn, now, otherTpp, storesOf, today } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { type FundsStores, fundsStoresOf, requestId, validFunds } from "./testing-funds";

let database: TestDatabase;
let stores: FundsStores;
let check: FundsCheck;
let psuId: PsuId;
let accountId: AccountId;
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  stores = fundsStoresOf(db);
  check = fundsCheck(db);
  await storesOf(db).tpps.remember(exampleTpp, now);
  await storesOf(db).tpps.remember(otherTpp, now);
  psuId = await addCustomer(db, "Ana Popescu");
  accountId = await addAccount(db, { [psuId]: "owner" }, { overdraftMinor: 50_00n });
  await addEntries(db, accountId, [
    { ...bookedEntry(3), amountMinor: 1_000_00n },
    { ...pendingEntry(1), amountMinor: -200_00n },
    { ...pendingEntry(1), amountMinor: 7_000_00n },
  ]);
});
afterAll(() => database.close());

const RON = "RON" as Currency;
const lei = (minorUnits: bigint) => ({ currency: RON, minorUnits });
const asked = { iban: "RO49DRWB1B31007593840000" as Iban, amounts: [lei(100n)] };
const { search } = aspspProfile.fundsConfirmation;
const limits = { checksSavedMax: 20, secondsPerCheck: 60, search, requestId: requestId() };
const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const valid = (given: Partial<FundsConsent> = {}) =>
  validFunds(stores, { psuId, accountId, ...given });
const question = (
  consentId: FundsQuestion["consentId"],
  changed: Partial<FundsQuestion> = {},
): FundsQuestion => ({ consentId, tppId: exampleTpp.id, now, today, asked, ...limits, ...changed });
const budgetOf = (consentId: string) =>
  database.sql`select checks_left from funds_check_budget where consent_id = ${consentId}`;

describe("a look", () => {
  test("shows the consent, and balance plus overdraft less what is reserved; money on its way is none", async () => {
    const { consentId } = await valid();
    expect(await check.look(question(consentId))).toEqual({
      consent: await stores.fundsConsents.find(consentId),
      admitted: true,
      retryAfterSeconds: 0,
      account: {
        currency: "RON",
        status: "enabled",
        available: { currency: "RON", minorUnits: 850_00n },
      },
    });
  });

  test("B1: of an unknown consent and of another TPP's there is none, and it takes no check", async () => {
    const { consentId } = await valid();
    for (const unknown of [
      question(consentId, { tppId: otherTpp.id }),
      question(crypto.randomUUID() as never),
      question("no uuid" as never),
    ]) {
      expect(await check.look(unknown)).toBeUndefined();
    }
    expect(await budgetOf(consentId)).toEqual([]);
  });

  test("shows a blocked account as blocked", async () => {
    const { db } = database;
    const blocked = await addAccount(db, { [psuId]: "owner" }, { status: "blocked" });
    const { consentId } = await valid({ accountId: blocked });
    const look = await check.look(question(consentId));
    expect(look?.account).toMatchObject({ status: "blocked", currency: "RON" });
  });

  test.each([
    ["that was never there", async () => crypto.randomUUID() as string as AccountId],
    [
      "that is somebody else's",
      async () => addAccount(database.db, { [await addCustomer(database.db, "Elena")]: "owner" }),
    ],
    [
      "that is no payment account",
      async () => addAccount(database.db, { [psuId]: "owner" }, { kind: "savings" }),
    ],
  ])("shows no account %s", async (_which, account) => {
    const { consentId } = await valid({ accountId: await account() });
    const look = await check.look(question(consentId));
    expect(look).toMatchObject({ admitted: true });
    expect(look?.account).toBeUndefined();
  });

  test("of a consent that is not valid, or whose card's last day is over, takes no check", async () => {
    const ended = await valid();
    const end = { consentId: ended.consentId, from: "valid", to: "revokedByPsu", at: now } as const;
    await stores.fundsConsents.end(end);
    const yesterday = await valid({ cardExpiryDate: addDays(today, -1) });
    for (const { consentId } of [ended, yesterday]) {
      expect(await check.look(question(consentId))).toMatchObject({ admitted: false });
      expect(await budgetOf(consentId)).toEqual([]);
    }
    const lastDay = await valid({ cardExpiryDate: today });
    expect(await check.look(question(lastDay.consentId))).toMatchObject({ admitted: true });
  });
});

describe("the budget of a consent", () => {
  const looks = (consentId: FundsQuestion["consentId"], count: number, at = now) =>
    Promise.all(Array.from({ length: count }, () => check.look(question(consentId, { now: at }))));
  const admitted = async (...call: Parameters<typeof looks>) =>
    (await looks(...call)).filter((look) => look?.admitted).length;

  test("B13: of 10,000 calls 20 are admitted, then one a minute", async () => {
    const { consentId } = await valid();
    expect(await admitted(consentId, 10_000)).toBe(20);
    expect(await admitted(consentId, 10, secondsOn(59))).toBe(0);
    expect(await admitted(consentId, 10, secondsOn(60))).toBe(1);
    expect(await admitted(consentId, 10, secondsOn(60 + 119))).toBe(1);
    expect(await admitted(consentId, 10, minutesOn(3))).toBe(1);
    expect(await admitted(consentId, 100, minutesOn(600))).toBe(20);
  });

  test("is its own: what one consent has used up is no other's", async () => {
    const [one, other] = [await valid(), await valid()];
    await looks(one.consentId, 21);
    expect(await admitted(other.consentId, 1)).toBe(1);
  });

  test("used up, says when the next check is admitted, and shows no funds", async () => {
    const { consentId } = await valid();
    await looks(consentId, 19);
    expect(await check.look(question(consentId))).toMatchObject({
      admitted: true,
      retryAfterSeconds: 60,
    });
    const refused = await check.look(question(consentId, { now: secondsOn(20.5) }));
    expect(refused).toMatchObject({ admitted: false, retryAfterSeconds: 40 });
    expect(refused?.account).toEqual({ currency: "RON", status: "enabled" });
  });

  test("used up, is there again after the seconds it has told, fractions or not", async () => {
    const { consentId } = await valid();
    await looks(consentId, 20);
    expect(await admitted(consentId, 1, secondsOn(60))).toBe(1);
    expect(await admitted(consentId, 1, secondsOn(121))).toBe(1);
    const refused = await check.look(question(consentId, { now: secondsOn(121) }));
    expect(refused).toMatchObject({ admitted: false, retryAfterSeconds: 59 });
    expect(await admitted(consentId, 2, secondsOn(121 + 59))).toBe(1);
  });

  test("does not shrink when the clock is set back", async () => {
    const { consentId } = await valid();
    await looks(consentId, 5, minutesOn(60));
    expect(await admitted(consentId, 30)).toBe(15);
    expect(await admitted(consentId, 30, minutesOn(60))).toBe(0);
    expect(await admitted(consentId, 30, minutesOn(61))).toBe(1);
  });

  test("in any order of calls: never more than saved plus a check a minute, and who waits as told is admitted", async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pauses, async (drawn) => {
        const { consentId } = await valid();
        const few = { checksSavedMax: 3, secondsPerCheck: 60 };
        let at = now;
        let count = 0;
        for (const pause of drawn) {
          at = new Date(at.getTime() + pause);
          const look = await check.look(question(consentId, { now: at, ...few }));
          count += look?.admitted ? 1 : 0;
          if (look?.admitted === false) {
            at = new Date(at.getTime() + look.retryAfterSeconds * 1_000);
            const again = await check.look(question(consentId, { now: at, ...few }));
            expect(again?.admitted).toBe(true);
            count += 1;
          }
          const minutes = (at.getTime() - now.getTime()) / 60_000;
          expect(count).toBeLessThanOrEqual(3 + Math.floor(minutes + 1e-5));
        }
      }),
      { numRuns: 30 },
    );
  });
});
