import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { accountOwner, customer, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import type { AccountOwner, BankAccount } from "@/lib/domain/accounts";
import { type AccountId, isUuid, type PsuId } from "@/lib/domain/values";
import { isOneOf, type LedgerReader, listOf } from "./database";

type Accounts = readonly BankAccount[];

/** In the order of the ids; an account that is gone is left out. */
export function accounts(database: LedgerReader) {
  const statement = prepared(database, isOneOf(ledgerAccount.id, "ids"), "accounts");
  return async (ids: readonly AccountId[]): Promise<Accounts> => {
    const known = ids.filter(isUuid);
    if (known.length === 0) return [];
    const [row] = await statement.execute({ ids: listOf(known) });
    const byId = new Map(row?.list.map((account) => [account.id, account]));
    return known.flatMap((id) => byId.get(id) ?? []);
  };
}

/** In the order in which the bank's own channel shows them. */
export function accountsOf(database: LedgerReader) {
  const { accountId, customerId } = accountOwner;
  const own = sql`(select ${accountId} from ${accountOwner}
    where ${customerId} = ${sql.placeholder("customerId")})`;
  const statement = prepared(database, inArray(ledgerAccount.id, own), "accounts_of_psu");
  return async (id: PsuId): Promise<Accounts> => {
    if (!isUuid(id)) return [];
    const [row] = await statement.execute({ customerId: id });
    return row === undefined ? [] : row.list;
  };
}

function prepared(database: LedgerReader, which: SQL, name: string) {
  return database
    .select({ list: accountsColumn(which) })
    .from(oneRow)
    .prepare(name);
}

/** For statements whose columns are whole lists. */
export const oneRow = sql`(values (1)) as one`;

/** Those accounts that this interface shows, with their owners. An account that nobody owns is not shown. */
export function accountsColumn(which: SQL): SQL<readonly BankAccount[]> {
  const { id, iban, currency, bic, name, product, usage, status, isDefault } = ledgerAccount;
  const list = sql`(
    select coalesce(json_agg(json_build_array(${id}, ${iban}, ${currency}, ${bic}, ${name}, ${product},
      ${usage}, ${status}, ${isDefault}, ${customer.name}, ${accountOwner.role})
      order by ${ledgerAccount.position}, ${id}, ${customer.name}, ${customer.id}), '[]')
    from ${ledgerAccount}
    join ${accountOwner} on ${accountOwner.accountId} = ${id}
    join ${customer} on ${customer.id} = ${accountOwner.customerId}
    where ${which} and ${isPaymentAccount})`;
  // Within another expression: Drizzle leaves the tables' names away in those that it selects itself.
  return sql`${list}`.mapWith(toAccounts);
}

/**
 * An account and one of its owners: it comes once for each. Without names and without a list in a list, since
 * PostgreSQL asks about each value of a row what it is, and every request reads some of them.
 */
type OwnedAccount = readonly [
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
];

function toAccounts(rows: readonly OwnedAccount[]): readonly BankAccount[] {
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
  return { id, iban, currency, bic, name, product, usage, status, isDefault, owners };
}

/**
 * What this interface may show at all: payment accounts (PSD2 art. 4(12)) that are open. Savings,
 * loans, the bank's own accounts and closed ones are as good as unknown.
 */
export const isPaymentAccount = and(
  eq(ledgerAccount.kind, "current"),
  ne(ledgerAccount.status, "deleted"),
);
