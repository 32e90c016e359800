import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { consentMayBecome } from "@/lib/domain/consents";
import {
  type FundsConsent,
  type FundsConsentStatus,
  type FundsQuestion,
  fundsConsentTransitions,
} from "@/lib/domain/funds";
import {
  addDays,
  type ConsentId,
  type Currency,
  type Iban,
  type IsoDate,
} from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { fundsCheck } from "./funds";
import {
  accountOne,
  ana,
  challenged,
  challengedFunds,
  exampleTpp,
  minutesOn,
  newAccountId,
  newRequestId,
  now,
  openMax,
  otherTpp,
  receivedFundsConsent,
  storesOf,
  testStores,
  today,
  tokenAlive,
  validFunds,
  winners,
} from "./testing";

const { database } = await testStores();

describe("a funds consent", () => {
  const stores = storesOf(database.db);

  test("a funds consent comes back as it was received, whatever the TPP left out", async () => {
    const whole = receivedFundsConsent({
      account: { iban: "RO49DRWB1B31007593840000" as Iban, currency: "EUR" as Currency },
      cardNumber: "1234567891234",
      cardExpiryDate: "2028-12-31" as IsoDate,
      cardInformation: "My Merchant Loyalty Card",
      registrationInformation: "Your contract number 1234 with us",
    });
    const bare = receivedFundsConsent();
    for (const { consent, authorisation } of [whole, bare]) {
      expect(await stores.fundsConsents.insert(consent, authorisation, openMax)).toBe("kept");
      expect(await stores.fundsConsents.find(consent.id)).toEqual(consent);
      expect(await stores.fundsConsents.findOfTpp(consent.id, consent.tppId)).toEqual(consent);
      expect(await stores.fundsConsents.findByAuthorisation(authorisation.id)).toEqual(consent);
      expect(await stores.authorisations.findByResource("PIIS", consent.id)).toEqual(authorisation);
    }
  });

  test("O1: the funds consent of another TPP is as unknown as one that never was", async () => {
    const { consent, authorisation } = receivedFundsConsent();
    await stores.fundsConsents.insert(consent, authorisation, openMax);
    const { fundsConsents } = stores;
    expect(await fundsConsents.findOfTpp(consent.id, otherTpp.id)).toBeUndefined();
    for (const id of [crypto.randomUUID(), "", "x", "'; drop table funds_consent"]) {
      expect(await fundsConsents.find(id as ConsentId)).toBeUndefined();
      expect(await fundsConsents.findOfTpp(id as ConsentId, consent.tppId)).toBeUndefined();
      expect(await fundsConsents.findByAuthorisation(id as never)).toBeUndefined();
    }
  });

  test("S9: of 50 parallel requests with one X-Request-ID one creates a consent, another TPP's too", async () => {
    const id = newRequestId();
    const count = async () => (await database.sql`select from funds_consent`).length;
    const before = await count();
    const insert = (tppId = exampleTpp.id) => {
      const { consent, authorisation } = receivedFundsConsent({ tppId }, { requestId: id });
      return stores.fundsConsents.insert(consent, authorisation, openMax);
    };
    expect(await winners(50, async () => (await insert()) === "kept")).toBe(1);
    expect(await insert(otherTpp.id)).toBe("kept");
    expect(await count()).toBe(before + 2);
  });
});

describe("the end of a funds consent", () => {
  const stores = storesOf(database.db);

  const statusOf = async (id: ConsentId) => (await stores.fundsConsents.find(id))?.status;

  describe("an end", () => {
    const states = Object.keys(fundsConsentTransitions) as FundsConsentStatus[];
    const pairs = states.flatMap((from) => states.map((to) => [from, to] as const));

    test.each(pairs)("from %s to %s is in the table, or is none", async (from, to) => {
      const decision = await validFunds(stores);
      const { consentId } = decision;
      await database.sql`update funds_consent set status = ${from} where id = ${consentId}`;
      const ending = stores.fundsConsents.end({ consentId, from, to, at: minutesOn(1) });
      if (to === "valid" || !consentMayBecome(from, to)) {
        await expect(ending).rejects.toThrow(`${from} to ${to}`);
        expect(await statusOf(consentId)).toBe(from);
        expect(await tokenAlive(stores, decision)).toBe(true);
      } else {
        expect(await ending).toBe(true);
        expect(await statusOf(consentId)).toBe(to);
        expect(await tokenAlive(stores, decision)).toBe(false);
      }
    });

    test("takes place once, from the given state, and fails an open authorisation", async () => {
      const decision = await challengedFunds(stores);
      const { consentId, authorisationId } = decision;
      const end = { consentId, to: "terminatedByTpp", at: now } as const;
      expect(await stores.fundsConsents.end({ ...end, from: "valid" })).toBe(false);
      const once = () => stores.fundsConsents.end({ ...end, from: "received" });
      expect(await winners(20, once)).toBe(1);
      expect(await stores.authorisations.find(authorisationId)).toMatchObject({
        scaStatus: "failed",
        failedBecause: "withdrawn-by-tpp",
      });
    });

    test("is of the funds consent alone, though a resource of another kind had the same id", async () => {
      const other = await challenged(storesOf(database.db));
      const { consentId: id } = other;
      await challengedFunds(stores, { id });
      const end = { consentId: id, from: "received", to: "terminatedByTpp", at: now } as const;
      expect(await stores.fundsConsents.end(end)).toBe(true);
      const authorisation = await stores.authorisations.find(other.authorisationId);
      expect(authorisation?.scaStatus).toBe("started");
      expect(await tokenAlive(storesOf(database.db), other)).toBe(true);
    });
  });
});

describe("the PSU's confirmation of a funds consent", () => {
  const stores = storesOf(database.db);

  const statusOf = async (id: ConsentId) => (await stores.fundsConsents.find(id))?.status;

  describe("the PSU's yes", () => {
    test("makes the consent valid for the account the code was sent for, once of 20 at a time", async () => {
      const decision = await challengedFunds(stores);
      expect(await winners(20, () => stores.authorisations.finaliseFundsConsent(decision))).toBe(1);
      const { accountId, at } = decision;
      expect(await stores.fundsConsents.find(decision.consentId)).toMatchObject({
        status: "valid",
        psuId: ana,
        accountId,
        authorisedAt: at,
      });
      const authorisation = await stores.authorisations.find(decision.authorisationId);
      expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
      expect(authorisation?.challenge).toBeUndefined();
    });

    test.each([
      ["another code's challenge", { codeFingerprint: "another" }],
      ["another PSU", { psuId: "psu-mihai" as never }],
      ["another account than the code was sent for", { accountId: newAccountId() }],
      ["another consent", { consentId: crypto.randomUUID() as never }],
      ["the end of the code's minutes", { at: minutesOn(5) }],
    ])("with %s changes nothing", async (_what, changed) => {
      const decision = await challengedFunds(stores);
      const { finaliseFundsConsent } = stores.authorisations;
      expect(await finaliseFundsConsent({ ...decision, ...changed })).toBe(false);
      expect(await statusOf(decision.consentId)).toBe("received");
      expect(await finaliseFundsConsent(decision)).toBe(true);
    });

    test("comes too late for a consent the TPP has deleted", async () => {
      const decision = await challengedFunds(stores);
      const { consentId } = decision;
      const end = { consentId, from: "received", to: "terminatedByTpp", at: now } as const;
      expect(await stores.fundsConsents.end(end)).toBe(true);
      expect(await stores.authorisations.finaliseFundsConsent(decision)).toBe(false);
      expect(await statusOf(consentId)).toBe("terminatedByTpp");
    });

    test("after the window is over changes nothing, though the code would still run", async () => {
      const decision = await challengedFunds(stores);
      const { authorisationId: id, consentId } = decision;
      await database.sql`update authorisation set expires_at = ${minutesOn(3).toISOString()} where id = ${id}`;
      const { finaliseFundsConsent } = stores.authorisations;
      expect(await finaliseFundsConsent({ ...decision, at: minutesOn(3) })).toBe(false);
      expect(await statusOf(consentId)).toBe("received");
      expect(await finaliseFundsConsent({ ...decision, at: minutesOn(2.99) })).toBe(true);
    });

    test("is not for a resource of another kind, though it had the same id", async () => {
      const { consent, authorisation } = receivedFundsConsent();
      await stores.fundsConsents.insert(consent, authorisation, openMax);
      const { grantedAccounts: _, ...yes } = await challenged(storesOf(database.db), {
        id: consent.id,
      });
      const decision = { ...yes, accountId: accountOne };
      expect(await stores.authorisations.finaliseFundsConsent(decision)).toBe(false);
      expect(await statusOf(consent.id)).toBe("received");
    });

    test("leaves the TPP's other funds consents of the same PSU and account valid", async () => {
      const accountId = newAccountId();
      const [one, other] = [
        await validFunds(stores, { accountId }),
        await validFunds(stores, { accountId }),
      ];
      expect([await statusOf(one.consentId), await statusOf(other.consentId)]).toEqual([
        "valid",
        "valid",
      ]);
      expect(await tokenAlive(stores, one)).toBe(true);
    });
  });

  test("the PSU's no rejects the funds consent and takes the tokens", async () => {
    const decision = await challengedFunds(stores);
    const neighbour = await challengedFunds(stores);
    const { authorisationId: id, on, at } = decision;
    expect(await stores.authorisations.fail({ id, because: "not-own-account", on, at })).toBe(true);
    expect(await statusOf(decision.consentId)).toBe("rejected");
    expect(await tokenAlive(stores, decision)).toBe(false);
    expect(await statusOf(neighbour.consentId)).toBe("received");
    expect(await tokenAlive(stores, neighbour)).toBe(true);
  });

  test.each(["yes", "no"])(
    "the PSU's %s changes nothing of a consent that has ended already",
    async (answer) => {
      const decision = await challengedFunds(stores);
      const { authorisationId: id, consentId, on, at } = decision;
      await database.sql`update funds_consent set status = 'terminatedByTpp' where id = ${consentId}`;
      if (answer === "no") await stores.authorisations.fail({ id, because: "cancelled", on, at });
      else expect(await stores.authorisations.finaliseFundsConsent(decision)).toBe(false);
      expect(await statusOf(consentId)).toBe("terminatedByTpp");
    },
  );
});

describe("the funds checks of a consent", () => {
  const { db } = database;
  const stores = storesOf(db);
  const check = fundsCheck(db);

  const { search } = aspspProfile.fundsConfirmation;
  const limits = { checksSavedMax: 20, secondsPerCheck: 60, search, requestId: newRequestId() };
  const compared = { amountMinor: 1_00n, currency: "RON" as Currency, coveredMinor: 1_00n };
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
      const end = {
        consentId: ended.consentId,
        from: "valid",
        to: "revokedByPsu",
        at: now,
      } as const;
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
      Promise.all(
        Array.from({ length: count }, () => check.take(question(consentId, { now: at }))),
      );
    const admitted = async (...call: Parameters<typeof looks>) =>
      (await looks(...call)).filter((look) => look?.admitted).length;

    test("B13: of thousands of calls 20 are admitted, then one a minute", async () => {
      const { consentId } = await valid();
      expect(await admitted(consentId, inputs(10_000))).toBe(20);
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

    test("is available again after Retry-After, fractions or not", async () => {
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

    test("in any order of calls: never more than saved plus a check a minute, and after Retry-After a check is admitted", async () => {
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
        { numRuns: inputs(30) },
      );
    });
  });
});
