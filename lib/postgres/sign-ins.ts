import { and, eq, gt, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { psuSession } from "@/drizzle/schema/drawbridge";
import type { Judged } from "@/lib/domain/authorisation";
import type {
  Completed,
  SessionHash,
  SessionLimits,
  SignIn,
  SignInStore,
} from "@/lib/domain/sign-in";
import { addTime, type PsuId } from "@/lib/domain/values";
import type { Database } from "./client";

const { idHash, purpose, createdAt, lastSeenAt, revokedAt, scaDoneAt, codesSent } = psuSession;

/** Sessions of the bank's own channel; those of authorisations are not seen here. */
export function signInStore(db: Database): SignInStore {
  return {
    begin: async (session, psuId, now) => {
      const times = { createdAt: now, lastSeenAt: now };
      await db
        .insert(psuSession)
        .values({ idHash: session, psuId, purpose: "own-channel", ...times });
    },
    touch: (session, limits, now) => touch(db, session, limits, now),
    startChallenge: async (session, { codeFingerprint, expiresAt }, codesSentMax, now) => {
      const rows = await db
        .update(psuSession)
        .set({
          codeFingerprint,
          codeExpiresAt: expiresAt,
          codesSent: sql`${codesSent} + 1`,
          lastSeenAt: latest(now),
        })
        .where(and(isPending(session), lt(codesSent, codesSentMax)))
        .returning({ idHash });
      return rows.length === 1;
    },
    startPasskeyChallenge: async (session, { nonce, expiresAt }, now) => {
      const rows = await db
        .update(psuSession)
        .set({ passkeyNonce: nonce, passkeyExpiresAt: expiresAt, lastSeenAt: latest(now) })
        .where(isPending(session))
        .returning({ idHash });
      return rows.length === 1;
    },
    withdrawCode: async (session, codeFingerprint) => {
      await db
        .update(psuSession)
        .set({ codeFingerprint: null, codeExpiresAt: null })
        .where(and(isPending(session), eq(psuSession.codeFingerprint, codeFingerprint)));
    },
    complete: (completed) => complete(db, completed),
    revoke: async (session, now) => {
      await db.update(psuSession).set({ revokedAt: now }).where(isAlive(session));
    },
  };
}

/** A request that is slower than the next one does not turn `last_seen_at` back. */
async function touch(
  db: Database,
  session: SessionHash,
  { inactivityMinutes, sessionMinutes }: SessionLimits,
  now: Date,
): Promise<SignIn | undefined> {
  const [row] = await db
    .update(psuSession)
    .set({ lastSeenAt: latest(now) })
    .where(
      and(
        isAlive(session),
        gte(lastSeenAt, addTime(now, -inactivityMinutes, "minute")),
        gte(createdAt, addTime(now, -sessionMinutes, "minute")),
      ),
    )
    .returning();
  return row && toSignIn(row);
}

/** One statement: the lock of the pending row decides between two that complete it. */
async function complete(
  db: Database,
  { session, opened, judged, at }: Completed,
): Promise<boolean> {
  const instant = sql`${at.toISOString()}::timestamptz`;
  const rows = await db.execute(sql`
    with proved as (
      update ${psuSession} set revoked_at = ${instant}, code_fingerprint = null, code_expires_at = null,
        passkey_nonce = null, passkey_expires_at = null
      where ${and(isPending(session), isAsked(judged, at))} returning psu_id
    )
    insert into ${psuSession} (id_hash, psu_id, purpose, created_at, last_seen_at, sca_done_at)
    select ${opened}, psu_id, 'own-channel', ${instant}, ${instant}, ${instant} from proved
    returning id_hash`);
  return rows.length === 1;
}

/** This very challenge is open and runs. */
function isAsked(judged: Judged, at: Date): SQL | undefined {
  const { codeFingerprint, codeExpiresAt, passkeyNonce, passkeyExpiresAt } = psuSession;
  return "codeFingerprint" in judged
    ? and(eq(codeFingerprint, judged.codeFingerprint), gt(codeExpiresAt, at))
    : and(eq(passkeyNonce, judged.passkeyNonce), gt(passkeyExpiresAt, at));
}

function isAlive(session: SessionHash): SQL | undefined {
  return and(eq(idHash, session), eq(purpose, "own-channel"), isNull(revokedAt));
}

function isPending(session: SessionHash): SQL | undefined {
  return and(isAlive(session), isNull(scaDoneAt));
}

function latest(now: Date) {
  return sql`greatest(${lastSeenAt}, ${sql.param(now, lastSeenAt)})`;
}

function toSignIn(row: typeof psuSession.$inferSelect): SignIn {
  const { scaDoneAt, codeFingerprint, codeExpiresAt } = row;
  const { passkeyNonce: nonce, passkeyExpiresAt } = row;
  return {
    session: row.idHash as SessionHash,
    psuId: row.psuId,
    ...(scaDoneAt !== null && { scaDoneAt }),
    ...(nonce !== null &&
      passkeyExpiresAt !== null && { passkeyChallenge: { nonce, expiresAt: passkeyExpiresAt } }),
    codesSent: row.codesSent,
    ...(codeFingerprint !== null &&
      codeExpiresAt !== null && { challenge: { codeFingerprint, expiresAt: codeExpiresAt } }),
  };
}

const {
  idHash: psuSessionStoreIdHash,
  psuId,
  purpose: psuSessionStorePurpose,
  createdAt: psuSessionStoreCreatedAt,
  lastSeenAt: psuSessionStoreLastSeenAt,
  revokedAt: psuSessionStoreRevokedAt,
} = psuSession;
/** What is signed in to the bank's own channel opens no authorisation. */
const ofAuthorisation = eq(psuSessionStorePurpose, "authorisation");

type Purpose = typeof psuSession.$inferSelect.purpose;

/** The PSUs' sign-ins at authorisations, known by a hash of what the browser's cookie holds. */
export function psuSessionStore(db: Database) {
  return {
    /** Throws when the id is taken: nobody is put into another PSU's session. */
    open: async (hash: string, psu: PsuId, now: Date): Promise<void> => {
      await db
        .insert(psuSession)
        .values({ idHash: hash, psuId: psu, createdAt: now, lastSeenAt: now });
    },

    /**
     * Whose session it is, while it is alive; being asked for counts as activity (RTS art. 4(3)(d)).
     * A request that is slower than the next one does not turn `last_seen_at` back.
     */
    touch: async (
      hash: string,
      now: Date,
      inactivityMinutes: number,
      sessionMinutes: number,
    ): Promise<PsuId | undefined> => {
      const [alive] = await db
        .update(psuSession)
        .set({
          lastSeenAt: sql`greatest(${psuSessionStoreLastSeenAt}, ${sql.param(now, psuSessionStoreLastSeenAt)})`,
        })
        .where(
          and(
            eq(psuSessionStoreIdHash, hash),
            ofAuthorisation,
            isNull(psuSessionStoreRevokedAt),
            gte(psuSessionStoreLastSeenAt, addTime(now, -inactivityMinutes, "minute")),
            gte(psuSessionStoreCreatedAt, addTime(now, -sessionMinutes, "minute")),
          ),
        )
        .returning({ psuId });
      return alive?.psuId;
    },

    /** Those opened before, alive or not, `limit` at most; yields how many went. */
    destroyOpenedBefore: async (which: Purpose, instant: Date, limit: number): Promise<number> => {
      const old = sql`${psuSessionStoreIdHash} in (
        select ${psuSessionStoreIdHash} from ${psuSession} where ${and(eq(psuSessionStorePurpose, which), lt(psuSessionStoreCreatedAt, instant))}
        order by ${psuSessionStoreCreatedAt} limit ${limit} for update skip locked)`;
      return (await db.delete(psuSession).where(old).returning({ idHash: psuSessionStoreIdHash }))
        .length;
    },

    revoke: async (hash: string, now: Date): Promise<void> => {
      await db
        .update(psuSession)
        .set({ revokedAt: now })
        .where(
          and(eq(psuSessionStoreIdHash, hash), ofAuthorisation, isNull(psuSessionStoreRevokedAt)),
        );
    },
  };
}
