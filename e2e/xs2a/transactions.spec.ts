import { AISP, granted, type Transaction, type TransactionQuery } from "@/clients/typescript/src";
import { bankDay, consentRequest } from "../harness/consent-request";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";
import type { Grant, TestTpp } from "../harness/test-tpp";

type Reader = { readonly tpp: TestTpp; readonly grant: Grant };

async function accountId({ tpp, grant }: Reader, name = "Current account"): Promise<string> {
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const found = accounts.find((account) => account.name === name);
  return String(found?.resourceId);
}

/** The list with a query as it is given, valid or not. */
async function list(reader: Reader, query: string) {
  const { tpp, grant } = reader;
  const path = `${AISP}/accounts/${await accountId(reader)}/transactions?${query}`;
  return tpp.bank.nextTransactions(grant, path);
}

async function read(reader: Reader, query: TransactionQuery) {
  const { tpp, grant } = reader;
  return granted(await tpp.bank.transactions(grant, await accountId(reader), query)).transactions;
}

const dateFrom = bankDay(-89);

test("bookingStatus booked has booked entries only, pending pending ones, both both", async ({
  shared,
}) => {
  const booked = await read(shared, { bookingStatus: "booked", dateFrom });
  const pending = await read(shared, { bookingStatus: "pending", dateFrom });
  const both = await read(shared, { bookingStatus: "both", dateFrom });
  expect(Object.keys(booked).toSorted()).toEqual(["_links", "booked"]);
  expect(Object.keys(pending).toSorted()).toEqual(["_links", "pending"]);
  expect(booked.booked?.length).toBeGreaterThan(20);
  expect(pending.pending?.length).toBeGreaterThan(0);
  expect(both.pending).toEqual(pending.pending);
  for (const entry of booked.booked ?? []) {
    expect(String(entry.bookingDate) >= dateFrom).toBe(true);
    expect(entry.transactionAmount.amount).toMatch(/^-?\d{1,14}\.\d{2}$/);
  }
  for (const entry of pending.pending ?? []) expect(entry).not.toHaveProperty("bookingDate");
});

test("information and all hold the standing orders; for information no dates are needed", async ({
  shared,
}) => {
  const information = await read(shared, { bookingStatus: "information" });
  const all = await read(shared, { bookingStatus: "all", dateFrom });
  expect(information).not.toHaveProperty("booked");
  expect(information.information).toHaveLength(3);
  expect(all.information).toEqual(information.information);
  expect(Object.keys(all)).toEqual(expect.arrayContaining(["booked", "pending"]));
  for (const order of information.information ?? []) {
    expect(order.bankTransactionCode).toBe("PMNT-ICDT-STDO");
    expect(order.additionalInformationStructured?.standingOrderDetails).toMatchObject({
      startDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      frequency: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
    });
  }
});

test("dateFrom and dateTo are inclusive", async ({ shared }) => {
  const { booked = [] } = await read(shared, { bookingStatus: "booked", dateFrom });
  const day = String(booked.at(-1)?.bookingDate);
  const ofDay = await read(shared, { bookingStatus: "booked", dateFrom: day, dateTo: day });
  expect(ofDay.booked?.length).toBeGreaterThan(0);
  for (const entry of ofDay.booked ?? []) expect(entry.bookingDate).toBe(day);
});

test("paging leads through every entry once, newest first, and the pages do not count again", async ({
  tpp,
  authorise,
}) => {
  // Entries of a year ago, for which the shared consent may be more than 10 minutes old.
  const grant = await authorise(tpp, { userId: "ana" });
  const id = await accountId({ tpp, grant });
  const query = { bookingStatus: "booked", dateFrom: bankDay(-400) } as const;
  let page = granted(await tpp.unattended.transactions(grant, id, query)).transactions;
  const pages = [page];
  while (page._links.next !== undefined) {
    const { href } = page._links.next;
    page = granted(await tpp.unattended.nextTransactions(grant, href)).transactions;
    pages.push(page);
  }
  expect(pages.length).toBeGreaterThan(4);
  for (const full of pages.slice(0, -1)) expect(full.booked).toHaveLength(100);
  const entries: readonly Transaction[] = pages.flatMap(({ booked = [] }) => booked);
  expect(new Set(entries.map(({ transactionId }) => transactionId)).size).toBe(entries.length);
  const days = entries.map(({ bookingDate }) => String(bookingDate));
  expect(days).toEqual(days.toSorted().toReversed());
});

test("a cursor that was changed, or is of another account or query, is 400 FORMAT_ERROR", async ({
  tpp,
  authorise,
}) => {
  const grant = await authorise(tpp, { userId: "ana" });
  const query = { bookingStatus: "booked", dateFrom: bankDay(-400) } as const;
  const first = await read({ tpp, grant }, query);
  const next = new URL(String(first._links.next?.href));
  const other = await accountId({ tpp, grant }, "Household account");
  const elsewhere = new URL(next);
  elsewhere.pathname = elsewhere.pathname.replace(/accounts\/[^/]+/, `accounts/${other}`);
  const changed = new URL(next);
  for (const [name, value] of next.searchParams) {
    if (name === "cursor") changed.searchParams.set(name, value.split("").reverse().join(""));
  }
  for (const { href } of [elsewhere, changed]) {
    expectRefusal(await tpp.bank.nextTransactions(grant, href), 400, "FORMAT_ERROR");
  }
});

// What a query may be is held where it is read: lib/xs2a/wire/transactions.test.ts.

test("a dateTo in the future is now, and withBalance is ignored", async ({ shared }) => {
  const query = `bookingStatus=booked&dateFrom=${dateFrom}&dateTo=${bankDay(9)}&withBalance=true`;
  const { transactions } = granted(await list(shared, query));
  expect(transactions.booked?.length).toBeGreaterThan(0);
});

test("in the first 10 minutes of the consent there is no limit to the history", async ({
  tpp,
  authorise,
}) => {
  const grant = await authorise(tpp, { userId: "ana" });
  const { booked = [] } = await read(
    { tpp, grant },
    {
      bookingStatus: "booked",
      dateFrom: bankDay(-420),
      dateTo: bankDay(-300),
    },
  );
  expect(booked.length).toBeGreaterThan(0);
});

test("a transaction is what the list says of it; its query parameters do not apply", async ({
  shared,
}) => {
  const { tpp, grant } = shared;
  const id = await accountId(shared);
  const { booked = [], pending = [] } = await read(shared, { bookingStatus: "both", dateFrom });
  for (const entry of [...booked.slice(0, 2), ...pending.slice(0, 1)]) {
    const one = await tpp.bank.transaction(grant, id, String(entry.transactionId));
    expect(granted(one).transactionsDetails).toMatchObject({
      transactionId: entry.transactionId,
      transactionAmount: entry.transactionAmount,
    });
  }
});

test("B1: an unknown transaction, and one of another account, are 404 RESOURCE_UNKNOWN", async ({
  shared,
}) => {
  const { tpp, grant } = shared;
  const { booked = [] } = await read(shared, { bookingStatus: "booked", dateFrom });
  const other = await accountId(shared, "Household account");
  const foreign = String(booked[0]?.transactionId);
  const own = await accountId(shared);
  for (const id of [UNKNOWN_ID, "x", "%00"]) {
    expectRefusal(await tpp.bank.transaction(grant, own, id), 404, "RESOURCE_UNKNOWN");
  }
  expectRefusal(await tpp.bank.transaction(grant, other, foreign), 404, "RESOURCE_UNKNOWN");
  expectRefusal(await tpp.bank.transaction(grant, UNKNOWN_ID, foreign), 404, "RESOURCE_UNKNOWN");
  const query = { bookingStatus: "both", dateFrom } as const;
  const list = await tpp.bank.transactions(grant, UNKNOWN_ID, query);
  expectRefusal(list, 404, "RESOURCE_UNKNOWN");
});

test("B2: transactions that were not granted are 401 CONSENT_INVALID, list and single", async ({
  tpp,
  authorise,
}) => {
  const request = consentRequest({ access: { balances: [] } });
  const grant = await authorise(tpp, { userId: "mihai", request });
  const id = await accountId({ tpp, grant });
  const query = { bookingStatus: "both", dateFrom } as const;
  expectRefusal(await tpp.bank.transactions(grant, id, query), 401, "CONSENT_INVALID");
  expectRefusal(await tpp.bank.transaction(grant, id, UNKNOWN_ID), 401, "CONSENT_INVALID");
});

test("the several reports on one account's transactions count as one resource", async ({
  tpp,
  authorise,
}) => {
  const request = consentRequest({ frequencyPerDay: 1 });
  const grant = await authorise(tpp, { userId: "mihai", request });
  const id = await accountId({ tpp, grant });
  const query = { bookingStatus: "booked", dateFrom } as const;
  granted(await tpp.unattended.transactions(grant, id, query));
  const again = await tpp.unattended.transactions(grant, id, { ...query, bookingStatus: "both" });
  expectRefusal(again, 429, "ACCESS_EXCEEDED");
});
