import { afterAll, beforeAll, expect, it } from "vitest";
import {
  exampleTpp,
  now,
  openMax,
  receivedConsent,
  storesOf,
  type TestDatabase,
  testDatabase,
} from "@/lib/postgres/testing";
import { fillDemoBank } from "@/lib/sandbox/demo-bank";
import { paymentsUnderWay, readBooks } from "./books";
import { type Customer, newCustomers } from "./customers";

let database: TestDatabase;
let customers: readonly Customer[];

beforeAll(async () => {
  database = await testDatabase();
  await fillDemoBank(database.url, new Date("2026-11-20T10:00:00Z"));
  customers = await newCustomers(database.sql, 2);
});
afterAll(() => database.close());

it("new customers have accounts with money, which the bank's own accounts have given", async () => {
  const ibans = customers.flatMap(({ accounts }) => Object.values(accounts));
  expect(new Set(ibans).size).toBe(4);
  const balances = await database.sql`
    select sum(amount_minor)::int as balance from ledger_entry
    join ledger_account account on account.id = account_id
    where iban in ${database.sql(ibans)} group by account.id`;
  expect(balances.map(({ balance }) => balance)).toEqual([1, 1, 1, 1].map(() => 100_000_000));
  const { sums, moves, payments, consents } = await readBooks(database.sql, customers);
  expect(sums.map(({ sum }) => sum)).toEqual(sums.map(() => 0n));
  expect(sums.map(({ currency }) => currency)).toEqual(expect.arrayContaining(["EUR", "RON"]));
  expect({ moves, payments, consents }).toEqual({ moves: [], payments: [], consents: [] });
  expect(await paymentsUnderWay(database.sql)).toBe(0);
});

it("what leaves or reaches a customer's account is found by the remittance, also when it has none", async () => {
  const [first] = customers;
  await spend(String(first?.accounts.EUR), 7, "request-1");
  await spend(String(first?.accounts.RON), -9, null);
  const { moves } = await readBooks(database.sql, customers);
  expect(moves).toHaveLength(2);
  expect(moves).toEqual(
    expect.arrayContaining([
      { requestId: "request-1", amount: -7n },
      { requestId: "without remittance", amount: 9n },
    ]),
  );
});

it("a consent is found by the request that has created it", async () => {
  const { tpps, consents } = storesOf(database.db);
  await tpps.remember(exampleTpp, now);
  const { consent, authorisation } = receivedConsent();
  await consents.insert(consent, authorisation, openMax);
  const books = await readBooks(database.sql, customers);
  expect(books.consents).toEqual([{ id: consent.id, requestId: authorisation.requestId }]);
});

it("the lines of the access log are counted by consent", async () => {
  const [consentId, other] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const read of [consentId, other, consentId]) {
    await database.sql`insert into access_log (consent_id, tpp_id, what, at, attended)
      values (${read}, ${exampleTpp.id}, 'accounts', ${now.toISOString()}, true)`;
  }
  const { reads } = await readBooks(database.sql, customers);
  expect(Object.fromEntries(reads)).toEqual({ [consentId]: 2, [other]: 1 });
});

/** To the clearing account of the currency. */
async function spend(iban: string, minor: number, remittance: string | null): Promise<void> {
  const transferId = crypto.randomUUID();
  await database.sql`
    insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on,
      remittance, bank_transaction_code, changed_at)
    select gen_random_uuid(), ${transferId}, account.id, 'pending',
      case when account.kind = 'internal' then ${minor}::bigint else -${minor}::bigint end,
      current_date, ${remittance}, 'PMNT-ICDT-ESCT', now()
    from ledger_account account join ledger_account payer on payer.iban = ${iban}
    where account.currency = payer.currency and (account.id = payer.id or account.kind = 'internal')`;
}
