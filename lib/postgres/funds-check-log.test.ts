import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addAccount, addCustomer } from "@/lib/core-bank/ledger/testing";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { FundsRequest } from "@/lib/domain/funds-confirmation/confirm-funds";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { exampleTpp, minutesOn, now, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { askForFunds, fundsPortsOf, fundsStoresOf, validFunds } from "./testing-funds";

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
      const { consentId, accountId } = await validFunds(fundsStoresOf(database.db), {
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
      const lines = await database.sql`select what, tpp_id, account_id, attended from access_log
        where consent_id = ${consentId} and at = ${minutesOn(1).toISOString()}`;
      const line = { what: "funds-check", tpp_id: exampleTpp.id, account_id: accountId };
      expect(lines).toEqual(answered ? [{ ...line, attended: false }] : []);
    }),
    { numRuns: 120 },
  );
});

test("of checks beyond the budget none is in the access history", async () => {
  const { consentId } = await validFunds(fundsStoresOf(database.db), {
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
