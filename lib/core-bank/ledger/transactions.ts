import { and, eq, sql } from "drizzle-orm";
import type { TransactionPage, TransactionQuery } from "@/lib/domain/account-access/account-source";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import {
  type AccountId,
  type BooksState,
  isUuid,
  type TransactionId,
} from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import type { LedgerReader } from "./database";
import { entriesOf, type PageForm, type Statuses } from "./entries-as-of";
import { type EntryLine, toTransaction } from "./entry-line";
import { isPaymentAccount } from "./payment-account";

/** One page; one more entry than it has tells whether there is a next one. */
export function transactions(database: LedgerReader) {
  const statementOf = preparing(database);
  return async (query: TransactionQuery): Promise<TransactionPage> => {
    const { accountId, statuses, from, to, after, limit } = query;
    const which = statusesOf(statuses);
    if (!isUuid(accountId) || which === undefined) return { entries: [] };
    const form = { statuses: which, isFollowing: after !== undefined, rows: limit + 1 };
    const [row] = await statementOf(form).execute({ accountId, from, to, ...after });
    return row === undefined ? { entries: [] } : toPage(row, query);
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
  const { id, currency, revision } = ledgerAccount;
  const lines = sql`(select json_agg(line order by at desc, id desc) from (${entriesOf(form)}) page)`;
  return database
    .select({ lines: sql<readonly EntryLine[] | null>`${lines}`, currency, revision })
    .from(ledgerAccount)
    .where(and(eq(id, sql.placeholder("accountId")), isPaymentAccount))
    .prepare(name);
}

type Page = {
  readonly lines: readonly EntryLine[] | null;
  readonly currency: Currency;
  readonly revision: bigint;
};

function toPage({ lines, currency, revision }: Page, query: TransactionQuery): TransactionPage {
  const { after, limit } = query;
  if (lines === null) return { entries: [] };
  const entries = lines.slice(0, limit).map((line) => toTransaction(line, currency));
  const last = entries[limit - 1];
  if (last === undefined || lines.length <= limit) return { entries };
  const asOf = after?.asOf ?? (String(revision) as BooksState);
  return { entries, next: { day: last.day, id: last.id, asOf } };
}

function statusesOf(statuses: TransactionQuery["statuses"]): Statuses | undefined {
  const [one, another] = new Set(statuses);
  return another === undefined ? one : "both";
}

export function transaction(database: LedgerReader) {
  const { id, accountId, line } = ledgerEntry;
  const statement = database
    .select({
      line: sql<EntryLine>`${line}`,
      currency: ledgerAccount.currency,
    })
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, accountId))
    .where(
      and(
        eq(id, sql.placeholder("id")),
        eq(accountId, sql.placeholder("accountId")),
        isPaymentAccount,
      ),
    )
    .prepare("entry");
  return async (account: AccountId, wanted: TransactionId): Promise<Transaction | undefined> => {
    if (!isUuid(account) || !isUuid(wanted)) return undefined;
    const [row] = await statement.execute({ id: wanted, accountId: account });
    return row && toTransaction(row.line, row.currency);
  };
}
