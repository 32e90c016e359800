import { ne, or, sql } from "drizzle-orm";
import type postgres from "postgres";
import type { AccountId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerDay } from "../../../drizzle/schema/ledger/day";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import type { LedgerReader } from "./database";

const { id, kind, bookedMinor, pendingMinor, reservedMinor, undatedMinor, changedAt } =
  ledgerAccount;

/**
 * The accounts for which another sum is kept than their entries add up to, of all or of one day. Of an
 * internal account none is kept.
 */
export async function sumsThatDiffer(database: LedgerReader): Promise<readonly AccountId[]> {
  const rows = await database.select({ id }).from(ledgerAccount).where(or(ofAll, ofDay));
  return rows.map((row) => row.id);
}

const counted = ne(kind, "internal");

const ofAll = sql`row(${bookedMinor}, ${pendingMinor}, ${reservedMinor}, ${undatedMinor}, ${changedAt})
  is distinct from (select row(
    coalesce(sum(e.amount_minor) filter (where e.status = 'booked'), 0)::bigint,
    coalesce(sum(e.amount_minor) filter (where e.status = 'pending'), 0)::bigint,
    coalesce(sum(e.amount_minor) filter (where e.status = 'pending' and e.amount_minor < 0), 0)::bigint,
    coalesce(sum(e.amount_minor) filter (where e.status = 'pending' and e.value_on is null), 0)::bigint,
    max(e.changed_at))
    from ${ledgerEntry} e where e.account_id = ${id} and ${counted})`;

const ofDay = sql`exists (
  select day, sum(booked), sum(pending) from (
    select d.day, d.booked_minor as booked, d.pending_minor as pending
    from ${ledgerDay} d where d.account_id = ${id}
    union all
    select coalesce(e.booked_on, e.value_on),
      case e.status when 'booked' then -e.amount_minor else 0 end,
      case e.status when 'pending' then -e.amount_minor else 0 end
    from ${ledgerEntry} e
    where e.account_id = ${id} and coalesce(e.booked_on, e.value_on) is not null and ${counted}
  ) both_sides group by day having sum(booked) <> 0 or sum(pending) <> 0)`;

/** What has left the accounts with these IBANs, negative, and what has come. */
export async function movesOf(database: postgres.ISql, ibans: readonly string[]) {
  const rows = await database<{ remittance: string | null; amount: string }[]>`
    select entry.remittance, entry.amount_minor::text as amount
    from ledger_entry entry join ledger_account account on account.id = entry.account_id
    where account.iban in ${database(ibans)}`;
  return rows.map(({ remittance, amount }) => ({ remittance, amount: BigInt(amount) }));
}

/** Of all entries, whoever made them. */
export async function sumsOfCurrencies(database: postgres.ISql) {
  const rows = await database<{ currency: string; sum: string }[]>`
    select account.currency, sum(entry.amount_minor)::text as sum
    from ledger_entry entry join ledger_account account on account.id = entry.account_id
    group by account.currency`;
  return rows.map(({ currency, sum }) => ({ currency, sum: BigInt(sum) }));
}
