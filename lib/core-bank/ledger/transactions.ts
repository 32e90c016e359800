import type postgres from "postgres";
import type { EntryDetails } from "@/drizzle/schema/ledger";
import type { Transaction, TransactionDetails } from "@/lib/domain/accounts";
import {
  type AccountReport,
  type CoreBank,
  expiredCursor,
  type TransactionQuery,
} from "@/lib/domain/core-bank";
import {
  type Currency,
  type Iban,
  type IsoDate,
  isUuid,
  parseIsoDate,
  type ReportCursor,
  type TransactionId,
} from "@/lib/domain/values";
import { accountShown, type OwnedAccount, toAccounts } from "./accounts";
import type { LedgerStatements } from "./database";

/** One page; one more entry is read, to know whether there is a next page. */
export function transactions({ $client }: LedgerStatements): CoreBank["transactions"] {
  return async (query) => {
    if (!isUuid(query.accountId) || !isUuid(query.customerId)) return undefined;
    const after = query.after === undefined ? undefined : readCursor(query.after);
    if (query.after !== undefined && after === undefined) throw expiredCursor();
    const [row] = await $client.run((sql) => page(sql, query, after));
    return row && toReport(row, query, after);
  };
}

/** `lines` is null when there are none; a bigint comes as text. */
type Page = {
  readonly list: readonly OwnedAccount[];
  readonly lines: readonly EntryLine[] | null;
  readonly revision: string;
};

/** Of the account as the same statement sees it. */
function page(sql: postgres.Sql, query: TransactionQuery, after: Position | undefined) {
  const { accountId } = query;
  return sql<Page[]>`
    select ${accountShown(sql, query)} as list,
      (select json_agg(line order by at desc, id desc) from (${entriesOf(sql, query, after)}) page) as lines,
      ledger_account.revision
    from ledger_account where ledger_account.id = ${accountId}`;
}

function toReport(
  { list, lines, revision }: Page,
  { limit }: TransactionQuery,
  after: Position | undefined,
): AccountReport | undefined {
  const [account] = toAccounts(list);
  if (account === undefined) return undefined;
  if (lines === null) return { account, entries: [] };
  const entries = lines.slice(0, limit).map((line) => toTransaction(line, account.currency));
  const last = entries[limit - 1];
  if (last === undefined || lines.length <= limit) return { account, entries };
  const next = `${last.day} ${last.id} ${after?.asOf ?? revision}` as ReportCursor;
  return { account, entries, next };
}

/** After the entry with this day and id, in the books as they were when the account had this revision. */
type Position = { readonly day: IsoDate; readonly id: string; readonly asOf: string };

function readCursor(cursor: ReportCursor): Position | undefined {
  const [text = "", id = "", asOf = "", ...more] = cursor.split(" ");
  const day = parseIsoDate(text);
  const isPosition = isUuid(id) && /^\d{1,18}$/.test(asOf) && more.length === 0;
  return day !== undefined && isPosition ? { day, id, asOf } : undefined;
}

export function transaction({ $client }: LedgerStatements): CoreBank["transaction"] {
  type Row = { readonly list: readonly OwnedAccount[]; readonly line: EntryLine | null };
  return async ({ accountId, customerId }, wanted) => {
    if (!isUuid(accountId) || !isUuid(customerId)) return undefined;
    const known = isUuid(wanted) ? wanted : null;
    const [row] = await $client.run(
      (sql) => sql<Row[]>`
        select ${accountShown(sql, { accountId, customerId })} as list,
          (select line from ledger_entry where id = ${known} and account_id = ${accountId}) as line`,
    );
    const [account] = toAccounts(row?.list ?? []);
    if (account === undefined) return undefined;
    return {
      account,
      ...(row?.line && { transaction: toTransaction(row.line, account.currency) }),
    };
  };
}

/**
 * Newest first: lines with the position that they stand at. Which entries a report is about is written out, or no index
 * of some of them applies, and so is how many, so that the plan is made for so many.
 */
function entriesOf(
  sql: postgres.Sql,
  query: TransactionQuery,
  after: Position | undefined,
): postgres.Fragment {
  const { statuses, limit } = query;
  const [one, another = one] = statuses;
  const status = one === another ? one : undefined;
  const most = () => sql.unsafe(`limit ${limit + 1}`);
  if (after === undefined) return entriesNow(sql, query, { status, most });
  const following = { status, most, after };
  if (status === "booked") return entriesNow(sql, query, following);
  return sql`(${entriesNow(sql, query, following)}) union all (${entriesThen(sql, query, following)})
    order by at desc, id desc ${most()}`;
}

type Form = {
  /** Undefined for both. */
  readonly status: Transaction["status"] | undefined;
  readonly most: () => postgres.Fragment;
  readonly after?: Position;
};

/**
 * The books as they are, which is the index read backwards. A following page is read in the books as they were when the
 * report was begun. The cursor is a position and no offset, so nothing that is entered above it matters.
 */
function entriesNow(
  sql: postgres.Sql,
  { accountId, from, to }: TransactionQuery,
  { status, most, after }: Form,
): postgres.Fragment {
  const ofStatus = { pending: sql`and status = 'pending'`, booked: sql`and status = 'booked'` };
  const following =
    after === undefined
      ? sql``
      : sql`and (day, id) < (${after.day}::date, ${after.id}::uuid) and entered_in <= ${after.asOf}::bigint
        and (booked_in is null or booked_in <= ${after.asOf}::bigint)`;
  return sql`
    select line, day as at, id from ledger_entry
    where account_id = ${accountId} and day >= ${from} and (day, id) < ${endOf(sql, to)}
      ${status === undefined ? sql`` : ofStatus[status]} ${following}
    order by day desc, id desc ${most()}`;
}

/**
 * An entry that was pending then and has been booked since is looked up where it was: its booking date
 * lies above the cursor, and the report would never come to it.
 */
function entriesThen(
  sql: postgres.Sql,
  { accountId, from, to }: TransactionQuery,
  { most, after }: Form & { readonly after: Position },
): postgres.Fragment {
  return sql`
    select ledger_entry_line(id, 'pending', amount_minor, pending_day, counterparty_name, counterparty_iban,
        counterparty_bic, bank_transaction_code, value_on, remittance, end_to_end_id, entry_reference, details) as line,
      pending_day as at, id
    from ledger_entry
    where account_id = ${accountId} and pending_day is not null
      and booked_in > ${after.asOf}::bigint and entered_in <= ${after.asOf}::bigint
      and pending_day >= ${from} and (pending_day, id) < ${endOf(sql, to)}
      and (pending_day, id) < (${after.day}::date, ${after.id}::uuid)
    order by pending_day desc, id desc ${most()}`;
}

/**
 * The last day inclusive, as a position, like a cursor: of two days PostgreSQL would think that hardly anything lies
 * between them, whichever they are, and plan each page again.
 */
function endOf(sql: postgres.Sql, to: IsoDate): postgres.Fragment {
  return sql`(${to}::date + 1, '00000000-0000-0000-0000-000000000000')`;
}

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
  details: EntryDetails | null,
];

function toTransaction(line: EntryLine, currency: Currency): Transaction {
  const [id, status, amountMinor, day, name, iban, bic, bankTransactionCode, ...more] = line;
  const [valueDate, remittance, endToEndId, entryReference, details] = more;
  return {
    id,
    status,
    amount: { currency, minorUnits: BigInt(amountMinor) },
    day,
    counterparty: {
      name: name ?? undefined,
      iban: iban ?? undefined,
      bic: bic ?? undefined,
      ultimateName: details?.counterpartyUltimateName,
    },
    bankTransactionCode,
    valueDate: valueDate ?? undefined,
    remittance: remittance ?? undefined,
    endToEndId: endToEndId ?? undefined,
    entryReference: entryReference ?? undefined,
    details: details === null ? undefined : toDetails(details, currency),
  };
}

function toDetails(entry: EntryDetails, currency: Currency): TransactionDetails {
  const { counterpartyUltimateName: _, bookedAfterMinor, batch, ...details } = entry;
  const money = (minor: string) => ({ currency, minorUnits: BigInt(minor) });
  return {
    ...details,
    ...(bookedAfterMinor && {
      balanceAfter: { type: "expected", amount: money(bookedAfterMinor) } as const,
    }),
    ...(batch && {
      batch: {
        count: batch.count,
        members: batch.members?.map(({ amountMinor, ...member }) => {
          return { ...member, amount: money(amountMinor) };
        }),
      },
    }),
  };
}
