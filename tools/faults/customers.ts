import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { addAccount, addCustomer, addEntries } from "@/lib/core-bank/ledger/testing";
import type { Iban, IsoDate, Currency as LedgerCurrency } from "@/lib/domain/values";
import { ownIban } from "@/lib/sandbox/demo-bank-people";

export type Currency = "EUR" | "RON";

/** Somebody with money enough for the whole run, and with the demo PSU's password. */
export type Customer = {
  readonly userId: string;
  readonly password: string;
  /** IBANs. */
  readonly accounts: Readonly<Record<Currency, string>>;
};

/** Above the numbers of the demo bank. */
const FIRST_ACCOUNT = 7_001;
/** The remittance of the money that a customer begins with. */
export const OPENING = "opening";
const OPENING_MINOR = 100_000_000n;
const CURRENCIES = ["EUR", "RON"] as const;

/**
 * New customers of a demo bank: no limit of a day and no lack of funds is to stop a client, and no
 * two clients are one PSU. The money comes from the bank's clearing accounts, so the books balance.
 */
export async function newCustomers(
  sql: postgres.Sql,
  count: number,
  books = sql,
): Promise<readonly Customer[]> {
  const customers = Array.from({ length: count }, (_, at) => ({
    userId: `payer-${at + 1}`,
    password: "ana-sandbox",
    accounts: {
      EUR: ownIban(FIRST_ACCOUNT + 2 * at),
      RON: ownIban(FIRST_ACCOUNT + 2 * at + 1),
    },
  }));
  for (const customer of customers) await enter(sql, books, customer);
  return customers;
}

async function enter(
  sql: postgres.Sql,
  books: postgres.Sql,
  { userId, accounts }: Customer,
): Promise<void> {
  const ledger = drizzle(books);
  const name = `Payer ${userId}`;
  const customerId = await addCustomer(ledger, name);
  const today = new Date().toISOString().slice(0, 10) as IsoDate;
  for (const currency of CURRENCIES) {
    const own = {
      iban: accounts[currency] as string as Iban,
      currency: currency as string as LedgerCurrency,
    };
    const accountId = await addAccount(ledger, { [customerId]: "owner" }, own);
    const opening = { amountMinor: OPENING_MINOR, remittance: OPENING, valueOn: today };
    await addEntries(ledger, accountId, [{ ...opening, enteredOn: today, bookedOn: today }]);
  }
  await sql`insert into psu (id, user_id, name, password_hash)
    select ${customerId}, ${userId}, ${name}, password_hash from psu where user_id = 'ana'`;
}
