import type postgres from "postgres";
import type { AccountOwner, BankAccount } from "@/lib/domain/accounts";
import type { AccountOfCustomer, AccountsOfCustomer } from "@/lib/domain/core-bank";
import { type AccountId, isUuid, type PsuId } from "@/lib/domain/values";
import { type LedgerStatements, listOf } from "./database";

type Accounts = readonly BankAccount[];

/** In the order of the ids; an account that is gone, or is not the customer's, is left out. */
export function accounts(database: LedgerStatements) {
  return async ({ customerId, ids }: AccountsOfCustomer): Promise<Accounts> => {
    const known = ids.filter(isUuid);
    if (known.length === 0 || !isUuid(customerId)) return [];
    const found = await read(
      database,
      (sql) => sql`account.id = any(${listOf(known)}::uuid[]) and ${isOwnedBy(sql, customerId)}`,
    );
    const byId = new Map(found.map((account) => [account.id, account]));
    return known.flatMap((id) => byId.get(id) ?? []);
  };
}

/** In the order in which the bank's own channel shows them. */
export function accountsOf(database: LedgerStatements) {
  return async (id: PsuId): Promise<Accounts> => {
    if (!isUuid(id)) return [];
    return read(database, (sql) => isOwnedBy(sql, id));
  };
}

async function read(
  { $client }: LedgerStatements,
  which: (sql: postgres.Sql) => postgres.Fragment,
): Promise<Accounts> {
  const [row] = await $client.run(
    (sql) =>
      sql<{ list: readonly OwnedAccount[] }[]>`select ${accountsShown(sql, which(sql))} as list`,
  );
  return row === undefined ? [] : toAccounts(row.list);
}

/** Whatever the customer's role. */
export function isOwnedBy(sql: postgres.Sql, id: PsuId): postgres.Fragment {
  return sql`account.id in (select account_id from account_owner where customer_id = ${id})`;
}

/** The account, if it is shown and this customer's. */
export function accountShown(
  sql: postgres.Sql,
  { accountId, customerId }: AccountOfCustomer,
): postgres.Fragment {
  return accountsShown(sql, sql`account.id = ${accountId} and ${isOwnedBy(sql, customerId)}`);
}

/**
 * Those accounts that this interface shows, with their owners, as one value that `toAccounts` reads. An account that
 * nobody owns is not shown. `which` is a condition on `account`.
 */
export function accountsShown(sql: postgres.Sql, which: postgres.Fragment): postgres.Fragment {
  return sql`(
    select coalesce(json_agg(json_build_array(account.id, account.iban, account.currency, account.bic, account.name,
        account.product, account.usage, account.status, account.is_default, customer.name, owner.role,
        account.display_name, account.linked_accounts, account.masked_pan)
      order by account.position, account.id, customer.name, customer.id), '[]')
    from ledger_account account
    join account_owner owner on owner.account_id = account.id
    join customer on customer.id = owner.customer_id
    where ${which} and ${isShown(sql)})`;
}

/**
 * What this interface may show at all: payment accounts (PSD2 art. 4(12)) that are open. Savings,
 * loans, the bank's own accounts and closed ones are as good as unknown.
 */
export function isShown(sql: postgres.Sql): postgres.Fragment {
  return sql`account.kind = 'current' and account.status <> 'deleted'`;
}

/**
 * An account and one of its owners: it comes once for each. Without names and without a list in a list, since
 * PostgreSQL asks about each value of a row what it is, and every request reads some of them.
 */
export type OwnedAccount = readonly [
  ...account: readonly [
    id: AccountId,
    iban: BankAccount["iban"],
    currency: BankAccount["currency"],
    bic: string,
    name: string,
    product: string,
    usage: BankAccount["usage"],
    status: BankAccount["status"],
    isDefault: boolean,
  ],
  ownerName: string,
  ownerRole: AccountOwner["role"],
  displayName: string | null,
  linkedAccounts: string | null,
  maskedPan: string | null,
];

export function toAccounts(rows: readonly OwnedAccount[]): readonly BankAccount[] {
  const accounts = new Map<AccountId, OneAccount>();
  for (const row of rows) {
    const owner = { name: row[9], role: row[10] };
    const known = accounts.get(row[0]);
    if (known === undefined) accounts.set(row[0], accountOf(row, owner));
    else known.owners.push(owner);
  }
  return [...accounts.values()];
}

type OneAccount = BankAccount & { readonly owners: AccountOwner[] };

/** In one literal: V8 takes five times as long for one that goes on after a spread, and every request reads some. */
function accountOf(row: OwnedAccount, owner: AccountOwner): OneAccount {
  const [id, iban, currency, bic, name, product, usage, status, isDefault] = row;
  const owners = [owner];
  return {
    id,
    iban,
    currency,
    bic,
    name,
    product,
    usage,
    status,
    isDefault,
    owners,
    displayName: row[11] ?? undefined,
    linkedAccounts: row[12] ?? undefined,
    maskedPan: row[13] ?? undefined,
  };
}
