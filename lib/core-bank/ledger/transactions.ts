import { eq, sql } from "drizzle-orm";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import type { AccountReport, CoreBank, TransactionQuery } from "@/lib/domain/core-bank";
import { type BooksState, isUuid } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { accountsColumn, oneRow } from "./accounts-shown";
import type { LedgerReader } from "./database";
import { entriesOf, type PageForm, type Statuses } from "./entries-as-of";
import { type EntryLine, toTransaction } from "./entry-line";

/** One page; one more entry than it has tells whether there is a next one. */
export function transactions(database: LedgerReader): CoreBank["transactions"] {
  const statementOf = preparing(database);
  return async (query) => {
    const { accountId, statuses, from, to, after, limit } = query;
    if (!isUuid(accountId)) return undefined;
    const [one, another = one] = statuses;
    const which: Statuses = one === another ? one : "both";
    const form = { statuses: which, isFollowing: after !== undefined, rows: limit + 1 };
    const [row] = await statementOf(form).execute({ accountId, from, to, ...after });
    return row && toReport(row, query);
  };
}

/** One statement for each form of a page, made when the first is asked for; the bank's pages have one size. */
function preparing(database: LedgerReader) {
  const made = new Map<string, ReturnType<typeof prepared>>();
  return (form: PageForm) => {
    const name = `entries_${form.statuses}_${form.isFollowing ? "from" : "first"}_${form.rows}`;
    const statement = made.get(name) ?? prepared(database, form, name);
    made.set(name, statement);
    return statement;
  };
}

/** Of the account as the same statement sees it; `lines` is null when there are none. */
function prepared(database: LedgerReader, form: PageForm, name: string) {
  const { id, revision } = ledgerAccount;
  const isAsked = eq(id, sql.placeholder("accountId"));
  const lines = sql`(select json_agg(line order by at desc, id desc) from (${entriesOf(form)}) page)`;
  return database
    .select({
      list: accountsColumn(isAsked),
      lines: sql<readonly EntryLine[] | null>`${lines}`,
      revision,
    })
    .from(ledgerAccount)
    .where(isAsked)
    .prepare(name);
}

type Page = {
  readonly list: readonly BankAccount[];
  readonly lines: readonly EntryLine[] | null;
  readonly revision: bigint;
};

function toReport(
  { list: [account], lines, revision }: Page,
  { after, limit }: TransactionQuery,
): AccountReport | undefined {
  if (account === undefined) return undefined;
  if (lines === null) return { account, entries: [] };
  const entries = lines.slice(0, limit).map((line) => toTransaction(line, account.currency));
  const last = entries[limit - 1];
  if (last === undefined || lines.length <= limit) return { account, entries };
  const asOf = after?.asOf ?? (String(revision) as BooksState);
  return { account, entries, next: { day: last.day, id: last.id, asOf } };
}

export function transaction(database: LedgerReader): CoreBank["transaction"] {
  const { id, accountId, line } = ledgerEntry;
  const account = sql.placeholder("accountId");
  const entry = sql`(select ${line} from ${ledgerEntry}
    where ${id} = ${sql.placeholder("id")} and ${accountId} = ${account})`;
  const statement = database
    .select({
      list: accountsColumn(eq(ledgerAccount.id, account)),
      line: sql<EntryLine | null>`${entry}`,
    })
    .from(oneRow)
    .prepare("entry");
  return async (ofAccount, wanted) => {
    if (!isUuid(ofAccount)) return undefined;
    const known = isUuid(wanted) ? wanted : null;
    const [row] = await statement.execute({ id: known, accountId: ofAccount });
    const found = row?.list[0];
    if (found === undefined) return undefined;
    return {
      account: found,
      ...(row?.line && { transaction: toTransaction(row.line, found.currency) }),
    };
  };
}
