import { sql } from "drizzle-orm";
import type postgres from "postgres";
import type {
  AccessBudget,
  Budget,
  ServedRead,
  UnattendedAccess,
} from "@/lib/domain/account-access";
import { addTime } from "@/lib/domain/values";
import type { Database } from "./client";

/** Each method is one statement. */
export function accessBudget({ $client }: Database): AccessBudget {
  return {
    admitUnattended: async (access) => {
      const [counted] = await $client.run((sql) => admission(sql, access));
      if (counted === undefined) throw new Error("an access was neither admitted nor refused");
      return { admitted: counted.admitted, ...budgetOf(counted, access) };
    },
    continueUnattended: async (access) => {
      const [counted] = await $client.run((sql) => continuation(sql, access));
      return budgetOf(counted ?? { hits: 0, oldest: null }, access);
    },
    admitAttended: async (read: ServedRead) => {
      await $client.run((sql) =>
        read.isFirst === true
          ? sql`with ${firstUse(sql, read)} ${loggedRead(sql, read)}`
          : loggedRead(sql, read),
      );
    },
  };
}

/** How many accesses are in the window, and the oldest of them in milliseconds of the epoch. */
type Hits = { readonly hits: number; readonly oldest: number | null };

/**
 * The condition of `do update` is evaluated under the row's lock, so that parallel calls cannot outrun it. `spent`
 * refuses, without a write, a call that is over the limit already; it may miss calls that run at this moment. The access
 * log is written in the same statement.
 */
function admission(sql: postgres.Sql, access: UnattendedAccess) {
  const { read, resource, limit } = access;
  const since = startOf(access);
  return sql<(Hits & { readonly admitted: boolean })[]>`
    with spent as (${hitsInWindow(sql, access)}),
    admitted as (
      insert into usage_window as known (consent_id, resource, hits)
      select ${read.consentId}::uuid, ${resource}, array[${read.at}::timestamptz]
      where (select hits from spent) < ${limit}
      on conflict (consent_id, resource) do update
      set hits = array(select hit from unnest(known.hits) hit where hit > ${since}) || ${read.at}::timestamptz
      where (select count(*) from unnest(known.hits) hit where hit > ${since}) < ${limit}
      returning cardinality(known.hits) as hits, (select min(hit) from unnest(known.hits) hit) as oldest
    ),
    ${read.isFirst === true ? sql`${firstUse(sql, read, sql`and exists (select from admitted)`)},` : sql``}
    logged as (${loggedRead(sql, read)} from admitted)
    select hits::int, (extract(epoch from oldest) * 1000)::float8 as oldest, true as admitted from admitted
    union all
    select ${limit}::int, (extract(epoch from oldest) * 1000)::float8, false from spent
    where not exists (select from admitted)`;
}

function continuation(sql: postgres.Sql, access: UnattendedAccess) {
  return sql<Hits[]>`
    with ${access.read.isFirst === true ? sql`${firstUse(sql, access.read)},` : sql``}
    logged as (${loggedRead(sql, access.read)})
    select hits::int, (extract(epoch from oldest) * 1000)::float8 as oldest
    from (${hitsInWindow(sql, access)}) spent`;
}

function hitsInWindow(sql: postgres.Sql, access: UnattendedAccess): postgres.Fragment {
  return sql`select count(*) as hits, min(hit) as oldest from usage_window, unnest(hits) hit
    where consent_id = ${access.read.consentId} and resource = ${access.resource} and hit > ${startOf(access)}`;
}

function startOf({ read, windowHours }: UnattendedAccess): Date {
  return addTime(read.at, -windowHours, "hour");
}

function budgetOf(counted: Hits, { read, limit, windowHours }: UnattendedAccess): Budget {
  const now = read.at;
  const left = Math.max(0, limit - counted.hits);
  const oldest = new Date(counted.oldest ?? now.getTime());
  return { left, resetAt: counted.hits === 0 ? now : addTime(oldest, windowHours, "hour") };
}

/** Inserts the line of one read; the statement it is part of adds the FROM. */
function loggedRead(tag: postgres.Sql, read: ServedRead): postgres.Fragment {
  const { consentId, tppId, what, accountId = null, at, attended, requestId = null } = read;
  return tag`insert into access_log (consent_id, tpp_id, what, account_id, at, attended, request_id)
    select ${consentId}::uuid, ${tppId}, ${what}, ${accountId}, ${at}, ${attended}, ${requestId}::uuid`;
}

/**
 * Notes in the same statement that the consent is used. Of reads that arrive together each believes to be the first, and
 * the row's lock decides.
 */
function firstUse(
  tag: postgres.Sql,
  { consentId, at }: ServedRead,
  only: postgres.Fragment = tag``,
): postgres.Fragment {
  return tag`used as (update account_consent set first_used_at = ${at}
    where id = ${consentId} and first_used_at is null ${only})`;
}

/** Months of which there are partitions before the first read of them comes. */
const MONTHS_AHEAD = 3;

/**
 * Makes the partitions of the coming months, and removes those whose last line is older than the instant, by functions of
 * the migrations, since the server's role may not; they keep what is younger than `retention.accessLogDays` of the profile,
 * by their own clock.
 */
export async function keepMonthsOfReads(db: Database, instant: Date): Promise<void> {
  await db.execute(sql`select access_log_months_ahead(${MONTHS_AHEAD})`);
  await db.execute(sql`select access_log_remove_months(${instant.toISOString()}::timestamptz)`);
}

/** In the same way lines that are in no month, `limit` at most; yields how many were deleted. */
export async function destroyReadsBefore(
  db: Database,
  instant: Date,
  limit: number,
): Promise<number> {
  const [row] = await db.execute<{ gone: number }>(sql`
    select access_log_destroy(${instant.toISOString()}::timestamptz, ${limit}::integer) as gone`);
  return row?.gone ?? 0;
}
