import { type SQL, sql } from "drizzle-orm";
import type { AccountOwner, BankAccount } from "@/lib/domain/account-access/bank-account";
import type { AccountId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountOwner } from "../../../drizzle/schema/ledger/account-owner";
import { customer } from "../../../drizzle/schema/ledger/customer";
import { isPaymentAccount } from "./payment-account";

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
