import { sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema";
import { after } from "@/lib/domain/clock";
import type { Database } from "./client";

/**
 * The grant counts how often its refresh token was rotated, and the lock of its row decides between
 * parallel calls: a token may be used while it is the newest, and again for a short while after, as
 * long as nobody has used the one that came of it. Who has that one has got the answer.
 */
export async function rotateRefreshToken(
  db: Database,
  hash: string,
  now: Date,
  graceSeconds: number,
): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const since = sql`${after(now, -graceSeconds, "second").toISOString()}::timestamptz`;
  const rows = await db.execute(sql`
    with used as (
      select grant_id, coalesce((payload->>'rotations')::int, 0) as rotations from ${oidcPayload}
      where model = 'RefreshToken' and id_hash = ${hash} and expires_at > ${at}
    ), rotated as (
      update ${oidcPayload} "of"
      set rotations = used.rotations + 1,
          rotated_at = case when "of".rotations = used.rotations then ${at} else "of".rotated_at end
      from used
      where "of".model = 'Grant' and "of".grant_id = used.grant_id and "of".expires_at > ${at}
        and ("of".rotations = used.rotations
          or ("of".rotations = used.rotations + 1 and "of".rotated_at > ${since}))
      returning "of".model
    )
    update ${oidcPayload} set consumed_at = coalesce(consumed_at, ${at})
    where model = 'RefreshToken' and id_hash = ${hash} and exists (select from rotated)
    returning model`);
  return rows.length === 1;
}
