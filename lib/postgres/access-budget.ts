import { sql } from "drizzle-orm";
import { usageWindow } from "@/drizzle/schema";
import type {
  AccessBudget,
  Admission,
  Budget,
  UnattendedAccess,
} from "@/lib/domain/account-access/access-budget";
import { after } from "@/lib/domain/clock";
import { logRead } from "./access-log";
import type { Database } from "./client";

export function accessBudget(db: Database): AccessBudget {
  return {
    admitUnattended: (access) => admitUnattended(db, access),
    continueUnattended: (access) => continueUnattended(db, access),
    admitAttended: async (read) => {
      await db.execute(logRead(read));
    },
  };
}

/** How many accesses are in the window, and the oldest of them in milliseconds of the epoch. */
type Hits = { readonly hits: number; readonly oldest: number | null };

/**
 * The row's lock decides: the condition of `do update` sees the newest hits, however many calls wait
 * for it. `spent` turns away, without a write, whoever is over the limit already; it can be behind
 * the row by calls that run at this moment, whose hits are then as old as this one. The line of the access log
 * belongs to the same statement: there is none without an access, and no access without one.
 */
async function admitUnattended(db: Database, access: UnattendedAccess): Promise<Admission> {
  const { read, resource, limit } = access;
  const { consentId } = read;
  const at = instant(read.at);
  const since = startOfWindow(access);
  const [counted] = await db.execute<Hits & { readonly admitted: boolean }>(sql`
    with spent as (${hitsOf(access)}), admitted as (
      insert into ${usageWindow} as known (consent_id, resource, hits)
      select ${consentId}::uuid, ${resource}, array[${at}]
      where (select hits from spent) < ${limit}
      on conflict (consent_id, resource) do update
      set hits = array(select hit from unnest(known.hits) hit where hit > ${since}) || ${at}
      where (select count(*) from unnest(known.hits) hit where hit > ${since}) < ${limit}
      returning cardinality(known.hits) as hits, (select min(hit) from unnest(known.hits) hit) as oldest
    ), logged as (${logRead(read, sql`from admitted`)})
    select hits::int, ${milliseconds("oldest")} as oldest, true as admitted from admitted
    union all
    select ${limit}::int, ${milliseconds("oldest")}, false from spent
    where not exists (select from admitted)`);
  if (counted === undefined) throw new Error("an access was neither admitted nor refused");
  return { ...budgetOf(counted, access), admitted: counted.admitted };
}

async function continueUnattended(db: Database, access: UnattendedAccess): Promise<Budget> {
  const [counted] = await db.execute<Hits>(sql`
    with logged as (${logRead(access.read)})
    select hits::int, ${milliseconds("oldest")} as oldest from (${hitsOf(access)}) spent`);
  return budgetOf(counted ?? { hits: 0, oldest: null }, access);
}

function hitsOf(access: UnattendedAccess) {
  return sql`select count(*) as hits, min(hit) as oldest
    from ${usageWindow} known, unnest(known.hits) hit
    where known.consent_id = ${access.read.consentId} and known.resource = ${access.resource}
      and hit > ${startOfWindow(access)}`;
}

/** Where nothing was used, nothing comes back. */
function budgetOf({ hits, oldest }: Hits, { read, limit, windowHours }: UnattendedAccess): Budget {
  const now = read.at;
  const left = Math.max(0, limit - hits);
  const resetAt = hits === 0 ? now : after(new Date(oldest ?? now.getTime()), windowHours, "hour");
  return { left, resetAt };
}

function startOfWindow({ read, windowHours }: UnattendedAccess) {
  return instant(after(read.at, -windowHours, "hour"));
}

function instant(at: Date) {
  return sql`${at.toISOString()}::timestamptz`;
}

function milliseconds(column: "oldest") {
  return sql`(extract(epoch from ${sql.identifier(column)}) * 1000)::float8`;
}
