import { sql } from "drizzle-orm";
import { usageWindow } from "@/drizzle/schema";
import type {
  AccessBudget,
  Admission,
  UnattendedAccess,
} from "@/lib/domain/account-access/access-budget";
import { after } from "@/lib/domain/clock";
import type { Database } from "./client";

export function accessBudget(db: Database): AccessBudget {
  return { admitUnattended: (access) => admitUnattended(db, access) };
}

type Counted = { readonly used: number | null; readonly oldest: number | null };

/**
 * The row's lock decides: the condition of `do update` sees the newest hits, however many calls wait
 * for it. `spent` turns away, without a write, whoever is over the limit already; it can be behind
 * the row by calls that run at this moment, whose hits are then as old as `now`.
 */
async function admitUnattended(
  db: Database,
  { consentId, resource, limit, windowHours, now }: UnattendedAccess,
): Promise<Admission> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const since = sql`${after(now, -windowHours, "hour").toISOString()}::timestamptz`;
  const [counted] = await db.execute<Counted>(sql`
    with spent as (
      select count(*) as hits, min(hit) as oldest
      from ${usageWindow} known, unnest(known.hits) hit
      where known.consent_id = ${consentId} and known.resource = ${resource} and hit > ${since}
    ), admitted as (
      insert into ${usageWindow} as known (consent_id, resource, hits)
      select ${consentId}::uuid, ${resource}, array[${at}]
      where (select hits from spent) < ${limit}
      on conflict (consent_id, resource) do update
      set hits = array(select hit from unnest(known.hits) hit where hit > ${since}) || ${at}
      where (select count(*) from unnest(known.hits) hit where hit > ${since}) < ${limit}
      returning cardinality(known.hits) as used
    )
    select (select used from admitted) as used,
           (select (extract(epoch from oldest) * 1000)::float8 from spent) as oldest`);
  const used = counted?.used ?? undefined;
  if (used !== undefined) return { admitted: true, left: limit - used };
  const oldest = new Date(counted?.oldest ?? now.getTime());
  return { admitted: false, retryAt: after(oldest, windowHours, "hour") };
}
