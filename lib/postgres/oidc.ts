import { and, asc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema/drawbridge";
import type { OidcModelStore } from "@/lib/domain/oidc-models";
import { addTime } from "@/lib/domain/values";
import type { Database, Transaction } from "./client";
import { deleteOldest, excluded } from "./columns";
import { aheadSecondsOf } from "./sandbox";

const { model, idHash, grantId, clientId, payload, expiresAt, consumedAt } = oidcPayload;

/**
 * An end is stored by the clock of the client, which in the sandbox may be ahead of the bank's, and is asked for and
 * told by the bank's: what the client's clock has passed is over.
 */
const aheadOf = (client: SQL) => sql`make_interval(secs => ${aheadSecondsOf(client)})`;
const endsAt = sql`(${expiresAt} - ${aheadOf(sql`${clientId}`)})`.mapWith(expiresAt);

/** The authorisation server's storage; it is given hashes of ids, so that a dump holds no token. */
export function oidcModels(db: Database) {
  const { byHash, save, consume, destroy } = statements(db);
  return {
    upsert: async (kind, hash, content, until, { grantId, uid, accountId }) => {
      const keys = { grantId: grantId ?? null, uid: uid ?? null, accountId: accountId ?? null };
      const clientId = content["clientId"] ?? null;
      const expiresAt = until.toISOString();
      await save.execute({ kind, hash, payload: content, expiresAt, clientId, ...keys });
    },

    find: async (kind, hash, now) => {
      const [row] = await byHash.execute({ kind, hash, now: now.toISOString() });
      return row && { ...row, consumedAt: row.consumedAt ?? undefined };
    },

    /** True for one caller only, however many redeem the same code at once (RFC 6749 4.1.2). */
    consume: async (kind, hash, now) =>
      (await consume.execute({ kind, hash, now: now.toISOString() })).count === 1,

    rotate: rotateRefreshToken(db),

    destroy: async (kind, hash) => {
      await destroy.execute({ kind, hash });
    },

    revokeByGrant: (grant) => destroyPayloads(db, eq(grantId, grant)),

    destroyExpired: (now: Date, limit: number): Promise<number> => {
      const key = [model, idHash] as const;
      return deleteOldest(db, oidcPayload, lte(expiresAt, now), { key, orderBy: expiresAt, limit });
    },
  } satisfies OidcModelStore & Record<string, unknown>;
}

export type OidcModels = ReturnType<typeof oidcModels>;

/**
 * Deletes many payloads and waits for their locks in the order of their keys: two deletes at once (the end
 * of a consent and the revocation of its grant) then queue, and do not deadlock.
 */
export async function destroyPayloads(
  db: Pick<Database | Transaction, "delete">,
  where: SQL,
): Promise<void> {
  const inOrder = sql`select ${model}, ${idHash} from ${oidcPayload} where ${where}
    order by ${asc(model)}, ${asc(idHash)} for update`;
  await db.delete(oidcPayload).where(sql`(${model}, ${idHash}) in (${inOrder})`);
}

const given = (name: string) => sql.placeholder(name);
const instant = (name: "now" | "since") => sql`${given(name)}::timestamptz`;

/**
 * Prepared: for a statement that is not, the driver asks PostgreSQL for its types each time, and whatever
 * else is to be sent on that connection waits meanwhile. Many TPPs refresh their tokens at one instant.
 */
function statements(db: Database) {
  const ofKind = eq(model, given("kind"));
  const isThis = and(ofKind, eq(idHash, given("hash")));
  const isLive = gt(endsAt, instant("now"));
  return {
    byHash: db
      .select({ payload, expiresAt: endsAt, consumedAt })
      .from(oidcPayload)
      .where(and(isThis, isLive))
      .prepare("oidc_by_hash"),
    save: saveStatement(db),
    consume: db
      .update(oidcPayload)
      .set({ consumedAt: instant("now") })
      .where(and(isThis, isNull(consumedAt), isLive))
      .prepare("oidc_consume"),
    destroy: db.delete(oidcPayload).where(isThis).prepare("oidc_destroy"),
  };
}

/** Saving again what was consumed does not make it unused: `consumed_at` stays as it is. */
function saveStatement(db: Database) {
  const row = {
    payload: given("payload"),
    expiresAt: sql`${given("expiresAt")}::timestamptz + ${aheadOf(sql`${given("clientId")}::text`)}`,
    clientId: given("clientId"),
    grantId: given("grantId"),
    uid: given("uid"),
    accountId: given("accountId"),
  };
  const set = excluded(oidcPayload, Object.keys(row) as (keyof typeof row)[]);
  return db
    .insert(oidcPayload)
    .values({ model: given("kind"), idHash: given("hash"), ...row })
    .onConflictDoUpdate({ target: [model, idHash], set })
    .prepare("oidc_save");
}

/**
 * The grant counts how often its refresh token was rotated, and the lock of its row decides between
 * parallel calls: a token may be used while it is the newest, and for a short while after, until its
 * successor is used, which proves that the TPP has received it.
 */
function rotateRefreshToken(db: Database) {
  const now = instant("now");
  const used = db.$with("used", {}).as(sql`
    select grant_id, coalesce((payload->>'rotations')::int, 0) as rotations from ${oidcPayload}
    where model = 'RefreshToken' and id_hash = ${given("hash")} and ${endsAt} > ${now}`);
  const rotated = db.$with("rotated", {}).as(sql`
    update ${oidcPayload} "of"
    set rotations = used.rotations + 1,
        rotated_at = case when "of".rotations = used.rotations then ${now} else "of".rotated_at end
    from used
    where "of".model = 'Grant' and "of".grant_id = used.grant_id and "of".expires_at - ${aheadOf(sql`"of".client_id`)} > ${now}
      and ("of".rotations = used.rotations
        or ("of".rotations = used.rotations + 1 and "of".rotated_at > ${instant("since")}))
    returning "of".model`);
  const rotation = db
    .with(used, rotated)
    .update(oidcPayload)
    .set({ consumedAt: sql`coalesce(${consumedAt}, ${now})` })
    .where(
      sql`${model} = 'RefreshToken' and ${idHash} = ${given("hash")} and exists (select from rotated)`,
    )
    .prepare("oidc_rotate");
  return async (hash: string, at: Date, graceSeconds: number): Promise<boolean> => {
    const since = addTime(at, -graceSeconds, "second").toISOString();
    return (await rotation.execute({ hash, now: at.toISOString(), since })).count === 1;
  };
}
