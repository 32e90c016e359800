import { afterAll, beforeAll, expect, it } from "vitest";
import { accountsShown } from "@/lib/core-bank/ledger/accounts-shown";
import { addAccount, addCustomer } from "@/lib/core-bank/ledger/testing";
import { type AccountId, newResourceId } from "@/lib/domain/identifiers";
import type { Arrivals, Named } from "@/lib/domain/tpp/arrival";
import { arrivals as arrivalsIn } from "./arrivals";
import { consentedTo, exampleTpp, now, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let arrivals: Arrivals;
beforeAll(async () => {
  database = await testDatabase();
  arrivals = arrivalsIn(database.db, { clock: undefined, accountsShown });
  await storesOf(database.db).tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const tppId = exampleTpp.id;

const consented = (...accounts: readonly [AccountId, ...AccountId[]]) =>
  consentedTo(storesOf(database.db), ...accounts);

/** Of other core banks: each almost a UUID, so that a cast without a look before it would fail. */
const foreign = [
  "account-1",
  "0f0e0d0c-0b0a-4908-8706-05040302010g",
  "0f0e0d0c-0b0a-4908-8706-0504030201",
  "0f0e0d0c0b0a-4908-8706-0504030201-00",
  "0f0e0d0c-0b0a-4908-8706-0504-3020100",
  "0f0e0d0c-0b0a-4908-8706-05040302010ș",
  "------------------------------------",
] as AccountId[];

it("an account is left out that is closed, no payment account, nobody's, or not the ledger's", async () => {
  const psu = await addCustomer(database.db, "Ana Popescu");
  const shown = await addAccount(database.db, { [psu]: "owner" }, { status: "blocked" });
  const consentId = await consented(
    await addAccount(database.db, { [psu]: "owner" }, { status: "deleted" }),
    await addAccount(database.db, { [psu]: "owner" }, { kind: "savings" }),
    await addAccount(database.db, {}),
    ...foreign,
    shown,
  );
  const { named } = await arrivals.look({ tppId, consentId });
  expect(named?.accounts?.map(({ id }) => id)).toEqual([shown]);
  expect(named?.consent.grantedAccounts).toHaveLength(foreign.length + 4);
});

it("of the consent's accounts only the one is told that the request names, if it is one of them", async () => {
  const psu = await addCustomer(database.db, "Ana Popescu");
  const partner = await addCustomer(database.db, "Vlad Popescu");
  const own = await addAccount(database.db, { [psu]: "owner", [partner]: "authorisedUser" });
  const consentId = await consented(await addAccount(database.db, { [psu]: "owner" }), own);
  const elsewhere = await consented(own);
  const resourceOf = async (consent: typeof consentId) => {
    const { named } = await arrivals.look({ tppId, consentId: consent });
    const found = named?.consent.grantedAccounts.find(({ accountId }) => accountId === own);
    return found?.resourceId;
  };
  const look = async (resourceId: Named["resourceId"]) => {
    const { named } = await arrivals.look({ tppId, consentId, resourceId });
    expect(named?.consent.grantedAccounts).toHaveLength(2);
    return named?.accounts;
  };
  const [account, ...others] = (await look(await resourceOf(consentId))) ?? [];
  expect(others).toEqual([]);
  expect(account).toMatchObject({ id: own });
  expect(account?.owners).toEqual([
    { name: "Ana Popescu", role: "owner" },
    { name: "Vlad Popescu", role: "authorisedUser" },
  ]);
  expect(await look(await resourceOf(elsewhere))).toEqual([]);
  expect(await look(newResourceId())).toEqual([]);
  expect(await look(undefined)).toHaveLength(2);
});
