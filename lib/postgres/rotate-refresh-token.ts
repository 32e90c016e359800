import { sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema/drawbridge";
import { after } from "@/lib/domain/clock";
import type { Database } from "./client";

const given = (name: "hash" | "now" | "since") => sql.placeholder(name);
const at = sql`${given("now")}::timestamptz`;
const since = sql`${given("since")}::timestamptz`;
const { model, idHash, consumedAt } = oidcPayload;

/**
 * The grant counts how often its refresh token was rotated, and the lock of its row decides between
 * parallel calls: a token may be used while it is the newest, and again for a short while after, as
 * long as nobody has used the one that came of it. Who has that one has got the answer.
 */
export function rotateRefreshToken(db: Database) {
  const rotation = rotationStatement(db);
  return async (hash: string, now: Date, graceSeconds: number): Promise<boolean> => {
    const graceBegan = after(now, -graceSeconds, "second");
    const instants = { now: now.toISOString(), since: graceBegan.toISOString() };
    return (await rotation.execute({ hash, ...instants })).length === 1;
  };
}

function rotationStatement(db: Database) {
  const used = db.$with("used", {}).as(sql`
    select grant_id, coalesce((payload->>'rotations')::int, 0) as rotations from ${oidcPayload}
    where model = 'RefreshToken' and id_hash = ${given("hash")} and expires_at > ${at}`);
  const rotated = db.$with("rotated", {}).as(sql`
    update ${oidcPayload} "of"
    set rotations = used.rotations + 1,
        rotated_at = case when "of".rotations = used.rotations then ${at} else "of".rotated_at end
    from used
    where "of".model = 'Grant' and "of".grant_id = used.grant_id and "of".expires_at > ${at}
      and ("of".rotations = used.rotations
        or ("of".rotations = used.rotations + 1 and "of".rotated_at > ${since}))
    returning "of".model`);
  return db
    .with(used, rotated)
    .update(oidcPayload)
    .set({ consumedAt: sql`coalesce(${consumedAt}, ${at})` })
    .where(
      sql`${model} = 'RefreshToken' and ${idHash} = ${given("hash")} and exists (select from rotated)`,
    )
    .returning({ model })
    .prepare("oidc_rotate");
}
