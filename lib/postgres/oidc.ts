import { and, asc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema/drawbridge";
import { addTime } from "@/lib/domain/values";
import type { Database, Transaction } from "./client";

type OidcPayload = Readonly<Record<string, unknown>>;
type StoredOidcPayload = {
  readonly payload: OidcPayload;
  readonly expiresAt: Date;
  readonly consumedAt: Date | undefined;
};

/** What a payload can be found by besides its id; `accountId` is the AuthorisationId. */
type OidcPayloadKeys = {
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  readonly accountId?: string | undefined;
};

const { model, idHash, grantId, expiresAt } = oidcPayload;

/** The authorisation server's storage; it is given hashes of ids, so that a dump holds no token. */
export function oidcModels(db: Database) {
  const { byHash, byUid, save, consume, destroy } = oidcStatements(db);
  return {
    upsert: async (
      kind: string,
      hash: string,
      content: OidcPayload,
      until: Date,
      keys: OidcPayloadKeys,
    ) => {
      await save.execute({ kind, hash, payload: content, expiresAt: until, ...orNull(keys) });
    },

    find: async (kind: string, hash: string, now: Date): Promise<StoredOidcPayload | undefined> =>
      toStored(await byHash.execute({ kind, hash, now: now.toISOString() })),

    findByUid: async (
      kind: string,
      id: string,
      now: Date,
    ): Promise<StoredOidcPayload | undefined> =>
      toStored(await byUid.execute({ kind, uid: id, now: now.toISOString() })),

    /** True for one caller only, however many redeem the same code at once (RFC 6749 4.1.2). */
    consume: async (kind: string, hash: string, now: Date): Promise<boolean> =>
      (await consume.execute({ kind, hash, now: now.toISOString() })).length === 1,

    rotate: rotateRefreshToken(db),

    destroy: async (kind: string, hash: string): Promise<void> => {
      await destroy.execute({ kind, hash });
    },

    revokeByGrant: (grant: string): Promise<void> => destroyPayloads(db, eq(grantId, grant)),

    /** Yields how many went; at most `limit`, so that no sweep holds many rows for long. */
    destroyExpired: async (now: Date, limit: number): Promise<number> => {
      const expired = sql`(${model}, ${idHash}) in (
        select ${model}, ${idHash} from ${oidcPayload} where ${lte(expiresAt, now)}
        order by ${expiresAt} limit ${limit} for update skip locked)`;
      return (await db.delete(oidcPayload).where(expired).returning({ model })).length;
    },
  };
}

export type OidcModels = ReturnType<typeof oidcModels>;

function orNull(keys: OidcPayloadKeys) {
  const { grantId = null, uid = null, accountId = null }: Nullable<OidcPayloadKeys> = keys;
  return { grantId, uid, accountId };
}

type Nullable<Of> = { readonly [Key in keyof Of]: Of[Key] | null };

/**
 * Deletes many payloads and waits for their locks in the order of their keys: two deletes that meet
 * (the end of a consent and the revocation of its grant) then queue, and do not deadlock.
 */
export async function destroyPayloads(
  db: Pick<Database | Transaction, "delete">,
  where: SQL,
): Promise<void> {
  const inOrder = sql`select ${model}, ${idHash} from ${oidcPayload} where ${where}
    order by ${asc(model)}, ${asc(idHash)} for update`;
  await db.delete(oidcPayload).where(sql`(${model}, ${idHash}) in (${inOrder})`);
}

type Row = Omit<StoredOidcPayload, "consumedAt"> & { readonly consumedAt: Date | null };

function toStored([row]: readonly Row[]): StoredOidcPayload | undefined {
  return row && { ...row, consumedAt: row.consumedAt ?? undefined };
}

const {
  model: oidcStatementsModel,
  idHash: oidcStatementsIdHash,
  uid,
  payload,
  expiresAt: oidcStatementsExpiresAt,
  consumedAt,
} = oidcPayload;
const given = (name: string) => sql.placeholder(name);
const now = sql`${given("now")}::timestamptz`;
const named = and(eq(oidcStatementsModel, given("kind")), eq(oidcStatementsIdHash, given("hash")));
const live = gt(oidcStatementsExpiresAt, now);

/**
 * What TPPs and PSUs ask the authorisation server's storage for, prepared: of a statement that is not, the driver asks
 * PostgreSQL for the types each time, and whatever else was to go over that connection waits meanwhile. Many refresh
 * their tokens at one instant.
 */
function oidcStatements(db: Database) {
  const stored = (which: SQL | undefined) =>
    db
      .select({ payload, expiresAt: oidcStatementsExpiresAt, consumedAt })
      .from(oidcPayload)
      .where(and(which, live));
  const ofUid = and(eq(oidcStatementsModel, given("kind")), eq(uid, given("uid")));
  return {
    byHash: stored(named).prepare("oidc_by_hash"),
    byUid: stored(ofUid).prepare("oidc_by_uid"),
    save: saveStatement(db),
    consume: db
      .update(oidcPayload)
      .set({ consumedAt: now })
      .where(and(named, isNull(consumedAt), live))
      .returning({ model: oidcStatementsModel })
      .prepare("oidc_consume"),
    destroy: db.delete(oidcPayload).where(named).prepare("oidc_destroy"),
  };
}

/** Saving again what was consumed does not make it unused: `consumed_at` stays as it is. */
function saveStatement(db: Database) {
  const row = {
    payload: given("payload"),
    expiresAt: given("expiresAt"),
    grantId: given("grantId"),
    uid: given("uid"),
    accountId: given("accountId"),
  };
  const set = {
    payload: sql`excluded.payload`,
    expiresAt: sql`excluded.expires_at`,
    grantId: sql`excluded.grant_id`,
    uid: sql`excluded.uid`,
    accountId: sql`excluded.account_id`,
  };
  return db
    .insert(oidcPayload)
    .values({ model: given("kind"), idHash: given("hash"), ...row })
    .onConflictDoUpdate({ target: [oidcStatementsModel, oidcStatementsIdHash], set })
    .prepare("oidc_save");
}

const rotateRefreshTokenGiven = (name: "hash" | "now" | "since") => sql.placeholder(name);
const at = sql`${rotateRefreshTokenGiven("now")}::timestamptz`;
const since = sql`${rotateRefreshTokenGiven("since")}::timestamptz`;
const {
  model: rotateRefreshTokenModel,
  idHash: rotateRefreshTokenIdHash,
  consumedAt: rotateRefreshTokenConsumedAt,
} = oidcPayload;

/**
 * The grant counts how often its refresh token was rotated, and the lock of its row decides between
 * parallel calls: a token may be used while it is the newest, and again for a short while after, as
 * long as nobody has used the one that came of it. Who has that one has got the answer.
 */
function rotateRefreshToken(db: Database) {
  const rotation = rotationStatement(db);
  return async (hash: string, now: Date, graceSeconds: number): Promise<boolean> => {
    const graceBegan = addTime(now, -graceSeconds, "second");
    const instants = { now: now.toISOString(), since: graceBegan.toISOString() };
    return (await rotation.execute({ hash, ...instants })).length === 1;
  };
}

function rotationStatement(db: Database) {
  const used = db.$with("used", {}).as(sql`
    select grant_id, coalesce((payload->>'rotations')::int, 0) as rotations from ${oidcPayload}
    where model = 'RefreshToken' and id_hash = ${rotateRefreshTokenGiven("hash")} and expires_at > ${at}`);
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
    .set({ consumedAt: sql`coalesce(${rotateRefreshTokenConsumedAt}, ${at})` })
    .where(
      sql`${rotateRefreshTokenModel} = 'RefreshToken' and ${rotateRefreshTokenIdHash} = ${rotateRefreshTokenGiven("hash")} and exists (select from rotated)`,
    )
    .returning({ model: rotateRefreshTokenModel })
    .prepare("oidc_rotate");
}
