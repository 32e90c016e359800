import { inArray, type SQL, sql } from "drizzle-orm";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import { type AccountId, isUuid, type PsuId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { accountOwner } from "../../../drizzle/schema/ledger-account-owner";
import { customer } from "../../../drizzle/schema/ledger-customer";
import type { LedgerReader } from "./database";
import { isOneOf, listOf } from "./is-one-of";
import { isPaymentAccount } from "./payment-account";

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
export function paymentAccountsOf(database: LedgerReader) {
  const { accountId, customerId } = accountOwner;
  const own = sql`(select ${accountId} from ${accountOwner}
    where ${customerId} = ${sql.placeholder("psuId")})`;
  const statement = prepared(database, inArray(ledgerAccount.id, own), "accounts_of_psu");
  return async (psuId: PsuId): Promise<Accounts> => {
    if (!isUuid(psuId)) return [];
    const [row] = await statement.execute({ psuId });
    return row === undefined ? [] : row.list;
  };
}

function prepared(database: LedgerReader, which: SQL, name: string) {
  // Within another expression: Drizzle leaves the tables' names away in those that it selects itself.
  const list = sql<Accounts>`${accountsShown(which)}`;
  return database.select({ list }).from(sql`(values (1)) as one`).prepare(name);
}

/**
 * Those accounts that this interface shows, with their owners, as one value that any statement can hold.
 * An account that nobody owns is not shown.
 */
export function accountsShown(which: SQL): SQL<Accounts> {
  const { id, iban, currency, bic, name, product, usage, status, isDefault } = ledgerAccount;
  const owners = sql.raw(OWNERS);
  return sql<Accounts>`(
    select coalesce(json_agg(json_build_object('id', ${id}, 'iban', ${iban}, 'currency', ${currency},
      'bic', ${bic}, 'name', ${name}, 'product', ${product}, 'usage', ${usage}, 'status', ${status},
      'isDefault', ${isDefault}, 'owners', ${owners}) order by ${ledgerAccount.position}, ${id}), '[]')
    from (
      select ${ledgerAccount}.*,
        json_agg(json_build_object('name', ${customer.name}, 'role', ${accountOwner.role})
          order by ${customer.name}, ${customer.id}) as ${owners}
      from ${ledgerAccount}
      join ${accountOwner} on ${accountOwner.accountId} = ${id}
      join ${customer} on ${customer.id} = ${accountOwner.customerId}
      where ${which} and ${isPaymentAccount}
      group by ${id}
    ) ${ledgerAccount})`;
}

/** A name that no column of the account has. */
const OWNERS = "owners";
