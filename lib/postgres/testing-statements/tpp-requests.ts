import { expect } from "vitest";
import { addAccount, addCustomer, addEntries } from "@/lib/core-bank/ledger/testing";
import type { Iban } from "@/lib/domain/iban";
import { paymentBody } from "@/lib/xs2a/testing/payment-request";
import { now, requestId } from "@/lib/xs2a/testing/tpp";
import type { Database } from "../client";
import { challenged, granted, storesOf, today } from "../samples";
import { fundsStoresOf, validFunds } from "../testing-funds";
import type { WatchedStores } from "./stores";
import type { Send, Sent } from "./tpp-sender";

const iban = "RO06DRWB0001000000000101" as Iban;
const fundsIban = "RO76DRWB0001000000000102" as Iban;
const attended = { "psu-ip-address": "198.51.100.7" };
const redirect = { ...attended, "tpp-redirect-uri": "https://tpp.example/cb" };

/** A PSU's account with more entries than a page has, shared with the TPP. */
async function shared(db: Database) {
  const psuId = await addCustomer(db, "Ana Popescu");
  const accountId = await addAccount(db, { [psuId]: "owner" }, { iban });
  const entry = { amountMinor: 5_00n, enteredOn: today };
  const entries = Array.from({ length: 102 }, (_, nth) =>
    nth % 2 === 0 ? entry : { ...entry, bookedOn: today },
  );
  const [transactionId] = await addEntries(db, accountId, [...entries, ...entries]);
  const stores = storesOf(db);
  const decision = { ...(await challenged(stores, { psuId, createdAt: now })), at: now };
  const grant = granted(accountId);
  const rights = { balances: true, transactions: true, ownerName: true };
  await stores.authorisations.finaliseAccountConsent({
    ...decision,
    grantedAccounts: [{ ...grant, rights }],
  });
  return { ...decision, accountId, transactionId, resourceId: grant.resourceId };
}

/** Every request that a TPP may send, each of them answered as it is to be. */
export async function tppRequests(db: Database, stores: WatchedStores, send: Send): Promise<void> {
  await accountRequests(send, await shared(db), stores);
  await consentRequests(send);
  await fundsRequests(send, db);
  await paymentRequests(send);
}

async function accountRequests(
  send: Send,
  { consentId, resourceId, transactionId }: Awaited<ReturnType<typeof shared>>,
  stores: WatchedStores,
): Promise<void> {
  const accounts = "/aisp/v1/accounts";
  const own = { "consent-id": consentId, authorization: `Bearer AIS:${consentId}` };
  const path = { accountId: resourceId, transactionId };
  for (const headers of [own, { ...own, ...attended }]) {
    await send(accounts, {}, { headers });
    await send(`${accounts}/{accountId}`, path, { headers, query: "?withBalance=true" });
    await send(`${accounts}/{accountId}/balances`, path, { headers });
    await send(`${accounts}/{accountId}/transactions/{transactionId}`, path, { headers });
    for (const status of ["booked", "pending", "both", "all"]) {
      if (status !== "all" && !("psu-ip-address" in headers)) continue;
      const route = `${accounts}/{accountId}/transactions`;
      const query = `?bookingStatus=${status}&dateFrom=2026-11-01`;
      const page = await send(route, path, { headers, query });
      const next = JSON.stringify(page).match(/[?&]cursor=([\w-]+)/)?.[1];
      if (next === undefined) throw new Error(`there is one page only: ${status}`);
      await send(route, path, { headers, query: `?cursor=${next}` });
    }
  }
  await stores.coreBank.accounts([]);
}

async function consentRequests(send: Send): Promise<void> {
  const consents = "/aisp/v1/consents";
  const body = {
    access: { allPsd2: "allAccounts" },
    recurringIndicator: true,
    validUntil: "2027-02-01",
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const creation = { method: "POST", headers: redirect, body, status: 201 } as const;
  // By the first one the bank gets to know the TPP as its certificate names it.
  await send(consents, {}, creation);
  await aboutConsent(send, consents, creation);
}

async function fundsRequests(send: Send, db: Database): Promise<void> {
  const consents = "/cbpii/v2/consents/confirmation-of-funds";
  const body = { account: { iban } };
  await aboutConsent(send, consents, { method: "POST", headers: redirect, body, status: 201 });

  const psuId = await addCustomer(db, "Ana Popescu");
  const accountId = await addAccount(db, { [psuId]: "owner" }, { iban: fundsIban });
  const given = { psuId, accountId, account: { iban: fundsIban } };
  const { consentId } = await validFunds(fundsStoresOf(db), given);
  await send(
    "/cbpii/v1/funds-confirmations",
    {},
    {
      method: "POST",
      headers: { "consent-id": consentId, authorization: `Bearer PIIS:${consentId}` },
      body: { account: { iban: fundsIban }, instructedAmount: { currency: "RON", amount: "1" } },
    },
  );
}

/** Its creation, and all that may be asked of it until it is deleted. */
async function aboutConsent(send: Send, route: string, creation: Sent): Promise<void> {
  const repeated = { ...creation, headers: { ...creation.headers, "x-request-id": requestId } };
  const first = await send(route, {}, repeated);
  // The same request again gets the first answer.
  expect(await send(route, {}, repeated)).toEqual(first);
  const { consentId } = await send(route, {}, creation);
  const path = { consentId: String(consentId) };
  await send(`${route}/{consentId}`, path);
  await send(`${route}/{consentId}/status`, path);
  await aboutAuthorisations(send, `${route}/{consentId}`, path);
  await send(`${route}/{consentId}`, path, { method: "DELETE", status: 204 });
}

async function paymentRequests(send: Send): Promise<void> {
  const route = "/pisp/v1/{paymentService}/{paymentProduct}";
  const product = { paymentService: "payments", paymentProduct: "sepa-credit-transfers" };
  const pay = (amount: string) => ({
    method: "POST" as const,
    headers: { ...redirect, "x-request-id": requestId },
    body: paymentBody("sepa-credit-transfers", { instructedAmount: { currency: "EUR", amount } }),
    status: 201,
  });
  const { paymentId } = await send(route, product, pay("1.00"));
  // The same id with another body gets the first answer, which is noted.
  expect(await send(route, product, pay("2.00"))).toMatchObject({ paymentId });
  expect(await send(route, product, pay("out of form"))).toMatchObject({ paymentId });
  const tooMuch = { ...pay("99999999.00"), headers: redirect, status: 400 };
  await send(route, product, tooMuch);
  await send(route, product, { ...pay("3.00"), headers: redirect });
  const path = { ...product, paymentId: String(paymentId) };
  await send(`${route}/{paymentId}`, path);
  await send(`${route}/{paymentId}/status`, path);
  await aboutAuthorisations(send, `${route}/{paymentId}`, path);
}

async function aboutAuthorisations(
  send: Send,
  route: string,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  const { authorisationIds } = await send(`${route}/authorisations`, path);
  const [authorisationId] = authorisationIds as readonly string[];
  await send(`${route}/authorisations/{authorisationId}`, { ...path, authorisationId });
}
