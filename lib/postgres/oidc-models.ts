import { and, asc, eq, gt, isNull, lte, type SQL, sql } from "drizzle-orm";
import { oidcPayload } from "@/drizzle/schema";
import type { Transaction } from "./atomically";
import type { Database } from "./client";
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

const { model, idHash, grantId, uid, payload, expiresAt, consumedAt } = oidcPayload;
const stored = { payload, expiresAt, consumedAt };

/** The authorisation server's storage; it is given hashes of ids, so that a dump holds no token. */
export function oidcModels(db: Database) {
  return {
    upsert: (
      kind: string,
      hash: string,
      content: OidcPayload,
      until: Date,
      keys: OidcPayloadKeys,
    ) => upsert(db, { model: kind, idHash: hash }, { payload: content, expiresAt: until, ...keys }),

    find: async (kind: string, hash: string, now: Date): Promise<StoredOidcPayload | undefined> => {
      const live = and(eq(model, kind), eq(idHash, hash), gt(expiresAt, now));
      return toStored(await db.select(stored).from(oidcPayload).where(live));
    },

    findByUid: async (
      kind: string,
      id: string,
      now: Date,
    ): Promise<StoredOidcPayload | undefined> => {
      const live = and(eq(model, kind), eq(uid, id), gt(expiresAt, now));
      return toStored(await db.select(stored).from(oidcPayload).where(live));
    },

    /** True for one caller only, however many redeem the same code at once (RFC 6749 4.1.2). */
    consume: async (kind: string, hash: string, now: Date): Promise<boolean> => {
      const unused = and(eq(model, kind), eq(idHash, hash), isNull(consumedAt), gt(expiresAt, now));
      const rows = await db
        .update(oidcPayload)
        .set({ consumedAt: now })
        .where(unused)
        .returning({ model });
      return rows.length === 1;
    },

    rotate: (hash: string, now: Date, graceSeconds: number): Promise<boolean> =>
      rotateRefreshToken(db, hash, now, graceSeconds),

    destroy: async (kind: string, hash: string): Promise<void> => {
      await db.delete(oidcPayload).where(and(eq(model, kind), eq(idHash, hash)));
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

type Content = OidcPayloadKeys & { readonly payload: OidcPayload; readonly expiresAt: Date };

/** Saving again what was consumed does not make it unused: `consumed_at` stays as it is. */
async function upsert(
  db: Database,
  id: { readonly model: string; readonly idHash: string },
  content: Content,
): Promise<void> {
  const row = {
    payload: content.payload,
    expiresAt: content.expiresAt,
    grantId: content.grantId ?? null,
    uid: content.uid ?? null,
    accountId: content.accountId ?? null,
  };
  await db
    .insert(oidcPayload)
    .values({ ...id, ...row })
    .onConflictDoUpdate({ target: [model, idHash], set: row });
}

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
