import { asc, eq, lte, type SQL, sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema/drawbridge";
import type { Transaction } from "./atomically";
import type { Database } from "./client";
import { oidcStatements } from "./oidc-statements";
import { rotateRefreshToken } from "./rotate-refresh-token";

export type OidcPayload = Readonly<Record<string, unknown>>;
export type StoredOidcPayload = {
  readonly payload: OidcPayload;
  readonly expiresAt: Date;
  readonly consumedAt: Date | undefined;
};

/** What a payload can be found by besides its id; `accountId` is the AuthorisationId. */
export type OidcPayloadKeys = {
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
