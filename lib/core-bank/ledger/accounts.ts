import { inArray, type SQL, sql } from "drizzle-orm";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import { type AccountId, isUuid, type PsuId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountOwner } from "../../../drizzle/schema/ledger/account-owner";
import { accountsColumn, oneRow } from "./accounts-shown";
import type { LedgerReader } from "./database";
import { isOneOf, listOf } from "./is-one-of";

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
