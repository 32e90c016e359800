import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { ownIban } from "@/lib/sandbox/demo-bank-iban";

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
const OPENING_MINOR = 100_000_000;
const CURRENCIES = ["EUR", "RON"] as const;

/**
 * New customers of a demo bank: no limit of a day and no lack of funds is to stop a client, and no
 * two clients are one PSU. The money comes from the bank's clearing accounts, so the books balance.
 */
export async function newCustomers(sql: postgres.Sql, count: number): Promise<readonly Customer[]> {
  const customers = Array.from({ length: count }, (_, at) => ({
    userId: `payer-${at + 1}`,
    password: "ana-sandbox",
    accounts: {
      EUR: ownIban(FIRST_ACCOUNT + 2 * at),
      RON: ownIban(FIRST_ACCOUNT + 2 * at + 1),
    },
  }));
  await sql.begin(async (tx) => {
    for (const customer of customers) await enter(tx, customer);
  });
  return customers;
}

async function enter(tx: postgres.TransactionSql, { userId, accounts }: Customer): Promise<void> {
  const customerId = randomUUID();
  await tx`
    insert into customer (id, user_id, name, password_hash)
    select ${customerId}, ${userId}, ${`Payer ${userId}`}, password_hash
    from customer where user_id = 'ana'`;
  for (const currency of CURRENCIES) {
    const accountId = randomUUID();
    await tx`
      insert into ledger_account (id, iban, currency, bic, name, product, kind, usage, status,
        is_default, overdraft_minor, position)
      select ${accountId}, ${accounts[currency]}, ${currency}, bic, 'Current account', product,
        'current', 'PRIV', 'enabled', true, 0, 0
      from ledger_account where kind = 'internal' and currency = ${currency}`;
    await tx`
      insert into account_owner (account_id, customer_id, role)
      values (${accountId}, ${customerId}, 'owner')`;
    await tx`
      insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on,
        booked_on, value_on, remittance, bank_transaction_code, changed_at)
      select gen_random_uuid(), ${randomUUID()}, account.id, 'booked',
        case when account.kind = 'internal' then -1 else 1 end * ${OPENING_MINOR}::bigint,
        current_date, current_date, current_date, ${OPENING}, 'PMNT-RCDT-DMCT', now()
      from ledger_account account
      where account.id = ${accountId}
        or (account.kind = 'internal' and account.currency = ${currency})`;
  }
}
