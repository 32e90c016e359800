import { eq, type SQL, sql } from "drizzle-orm";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import type { BankAccount, Transaction } from "@/lib/domain/accounts";
import type { AccountReport, CoreBank, TransactionQuery } from "@/lib/domain/core-bank";
import {
  type BooksState,
  type Currency,
  type Iban,
  type IsoDate,
  isUuid,
  type TransactionId,
} from "@/lib/domain/values";
import { accountsColumn, oneRow } from "./accounts";
import type { LedgerReader } from "./database";

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

/** Which entries a report is about; written out in its statement, or no index of some of them applies. */
type Statuses = "pending" | "booked" | "both";

/** A page of a report: `rows` at most, in the statement too, so that its plan is made for so many. */
type PageForm = {
  readonly statuses: Statuses;
  readonly isFollowing: boolean;
  readonly rows: number;
};

type Position = typeof ledgerEntry.day | typeof ledgerEntry.pendingDay;

const { accountId, id, day, pendingDay, status, enteredIn, bookedIn } = ledgerEntry;
const asked = (name: "accountId" | "from" | "to" | "day" | "id" | "asOf") => sql.placeholder(name);
const revisionThen = sql`${asked("asOf")}::bigint`;
const entered = sql`${enteredIn} <= ${revisionThen}`;

/** Newest first: lines with the position that they stand at. */
function entriesOf({ statuses, isFollowing, rows }: PageForm): SQL {
  const limit = sql`limit ${sql.raw(String(rows))}`;
  const present = entriesNow(statuses, isFollowing ? followingNow : sql``, limit);
  if (!isFollowing || statuses === "booked") return present;
  return sql`(${present}) union all (${entriesThen(limit)}) order by at desc, id desc ${limit}`;
}

/** The books as they are, which is the index read backwards. */
function entriesNow(statuses: Statuses, further: SQL, limit: SQL): SQL {
  return sql`select ${ledgerEntry.line} as line, ${day} as at, ${id} as id from ${ledgerEntry}
    where ${accountId} = ${asked("accountId")} and ${isWithin(day)} ${hasStatus[statuses]} ${further}
    order by ${day} desc, ${id} desc ${limit}`;
}

/**
 * A following page is read in the books as they were when the report was begun. The cursor is a position
 * and no offset, so nothing that is entered above it matters.
 */
const followingNow = sql`and ${isBelowCursor(day)} and ${entered}
  and (${bookedIn} is null or ${bookedIn} <= ${revisionThen})`;

/**
 * An entry that was pending then and has been booked since is looked up where it was: its booking date
 * lies above the cursor, and the report would never come to it.
 */
function entriesThen(limit: SQL): SQL {
  const line = pendingLineOn(sql`${pendingDay}`);
  return sql`select ${line} as line, ${pendingDay} as at, ${id} as id from ${ledgerEntry}
    where ${accountId} = ${asked("accountId")} and ${pendingDay} is not null
      and ${bookedIn} > ${revisionThen} and ${entered}
      and ${isWithin(pendingDay)} and ${isBelowCursor(pendingDay)}
    order by ${pendingDay} desc, ${id} desc ${limit}`;
}

/**
 * Both days inclusive. The later one is a position, like a cursor: of two days PostgreSQL would think that
 * hardly anything lies between them, whichever they are, and make a plan anew for each page.
 */
function isWithin(position: Position): SQL {
  return sql`${position} >= ${asked("from")}
    and (${position}, ${id}) < (${asked("to")}::date + 1, '00000000-0000-0000-0000-000000000000')`;
}

function isBelowCursor(position: Position): SQL {
  return sql`(${position}, ${id}) < (${asked("day")}::date, ${asked("id")}::uuid)`;
}

const hasStatus: Readonly<Record<Statuses, SQL>> = {
  pending: sql`and ${status} = 'pending'`,
  booked: sql`and ${status} = 'booked'`,
  both: sql``,
};

/** As the table keeps it and PostgreSQL sends it: all of it text, in the order of `ledger_entry_line`. */
type EntryLine = readonly [
  id: TransactionId,
  status: Transaction["status"],
  amountMinor: string,
  day: IsoDate,
  counterpartyName: string | null,
  counterpartyIban: Iban | null,
  counterpartyBic: string | null,
  bankTransactionCode: string,
  valueOn: IsoDate | null,
  remittance: string | null,
  endToEndId: string | null,
  entryReference: string | null,
];

/** The line of an entry that was pending on this day; the one that it keeps is of how it is now. */
function pendingLineOn(day: SQL): SQL {
  const entry = ledgerEntry;
  return sql`ledger_entry_line(${entry.id}, 'pending', ${entry.amountMinor}, ${day},
    ${entry.counterpartyName}, ${entry.counterpartyIban}, ${entry.counterpartyBic},
    ${entry.bankTransactionCode}, ${entry.valueOn}, ${entry.remittance}, ${entry.endToEndId},
    ${entry.entryReference})`;
}

function toTransaction(line: EntryLine, currency: Currency): Transaction {
  const [id, status, amountMinor, day, name, iban, bic, bankTransactionCode, ...more] = line;
  const [valueDate, remittance, endToEndId, entryReference] = more;
  return {
    id,
    status,
    amount: { currency, minorUnits: BigInt(amountMinor) },
    day,
    counterparty: {
      name: name ?? undefined,
      iban: iban ?? undefined,
      bic: bic ?? undefined,
    },
    bankTransactionCode,
    valueDate: valueDate ?? undefined,
    remittance: remittance ?? undefined,
    endToEndId: endToEndId ?? undefined,
    entryReference: entryReference ?? undefined,
  };
}
