import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { FundsCheck, FundsQuestion } from "@/lib/domain/funds-confirmation/funds-check";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import { addDays } from "@/lib/domain/iso-date";
import { fundsCheck } from "./funds-check";
import { exampleTpp, minutesOn, now, otherTpp, storesOf, today } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  type FundsStores,
  fundsStoresOf,
  newAccountId,
  requestId,
  validFunds,
} from "./testing-funds";

let database: TestDatabase;
let stores: FundsStores;
let check: FundsCheck;
beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  stores = fundsStoresOf(db);
  check = fundsCheck(db);
  await storesOf(db).tpps.remember(exampleTpp, now);
  await storesOf(db).tpps.remember(otherTpp, now);
});
afterAll(() => database.close());

const { search } = aspspProfile.fundsConfirmation;
const limits = { checksSavedMax: 20, secondsPerCheck: 60, search, requestId: requestId() };
const compared = { amountMinor: 1_00n, availableMinor: 850_00n };
const accountId = newAccountId();
const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const valid = (given: Partial<FundsConsent> = {}) => validFunds(stores, { accountId, ...given });
const question = (
  consentId: FundsQuestion["consentId"],
  changed: Partial<FundsQuestion> = {},
): FundsQuestion => ({
  ...{ consentId, tppId: exampleTpp.id, accountId, now, today, ...limits },
  ...{ answered: true, compared, ...changed },
});
const budgetOf = (consentId: string) =>
  database.sql`select checks_left from funds_check_budget where consent_id = ${consentId}`;

describe("a check", () => {
  test("B1: of an unknown consent or another TPP's is none, and nothing is counted", async () => {
    const { consentId } = await valid();
    for (const unknown of [
      question(consentId, { tppId: otherTpp.id }),
      question(crypto.randomUUID() as never),
    ]) {
      expect(await check.take(unknown)).toBeUndefined();
    }
    expect(await budgetOf(consentId)).toEqual([]);
  });

  test("of a consent that is not valid, or whose card's last day is over, is none", async () => {
    const ended = await valid();
    const end = { consentId: ended.consentId, from: "valid", to: "revokedByPsu", at: now } as const;
    await stores.fundsConsents.end(end);
    const yesterday = await valid({ cardExpiryDate: addDays(today, -1) });
    for (const { consentId } of [ended, yesterday]) {
      expect(await check.take(question(consentId))).toBeUndefined();
      expect(await budgetOf(consentId)).toEqual([]);
    }
    const lastDay = await valid({ cardExpiryDate: today });
    expect(await check.take(question(lastDay.consentId))).toMatchObject({ admitted: true });
  });
});

describe("the budget of a consent", () => {
  const looks = (consentId: FundsQuestion["consentId"], count: number, at = now) =>
    Promise.all(Array.from({ length: count }, () => check.take(question(consentId, { now: at }))));
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

  test("used up, says when the next check is admitted", async () => {
    const { consentId } = await valid();
    await looks(consentId, 19);
    expect(await check.take(question(consentId))).toMatchObject({
      admitted: true,
      retryAfterSeconds: 60,
    });
    const refused = await check.take(question(consentId, { now: secondsOn(20.5) }));
    expect(refused).toMatchObject({ admitted: false, retryAfterSeconds: 40 });
  });

  test("used up, is there again after the seconds it has told, fractions or not", async () => {
    const { consentId } = await valid();
    await looks(consentId, 20);
    expect(await admitted(consentId, 1, secondsOn(60))).toBe(1);
    expect(await admitted(consentId, 1, secondsOn(121))).toBe(1);
    const refused = await check.take(question(consentId, { now: secondsOn(121) }));
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
          const look = await check.take(question(consentId, { now: at, ...few }));
          count += look?.admitted ? 1 : 0;
          if (look?.admitted === false) {
            at = new Date(at.getTime() + look.retryAfterSeconds * 1_000);
            const again = await check.take(question(consentId, { now: at, ...few }));
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
