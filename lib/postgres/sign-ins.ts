import { and, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { psuSession } from "@/drizzle/schema/drawbridge";
import type {
  Completed,
  SessionHash,
  SessionLimits,
  SignIn,
  SignInStore,
} from "@/lib/domain/sign-in";
import { addTime, type PsuId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import { isOpenChallenge, toChallenges } from "./challenges";
import type { Database } from "./client";
import { deleteOldest } from "./columns";

type Session = typeof psuSession.$inferSelect;
type Purpose = Session["purpose"];

const { idHash, purpose, createdAt, lastSeenAt, revokedAt, scaDoneAt, codesSent } = psuSession;

/** Sessions of the bank's own channel; none of them opens an authorisation. */
export function signInStore(db: Database): SignInStore {
  const updatePending = async (
    session: SessionHash,
    set: PgUpdateSetSource<typeof psuSession>,
    onlyIf?: SQL,
  ) => {
    const { count } = await db
      .update(psuSession)
      .set(set)
      .where(and(isPending(session), onlyIf));
    return count === 1;
  };
  const { open, touch, revoke } = sessions(db, "own-channel");
  return {
    begin: (session, psuId, now) => open(session, psuId, now, { means: "password" }),
    beginSignedIn: (session, psuId, scaDoneAt, now) =>
      open(session, psuId, now, { means: "oidc", scaDoneAt }),
    touch: async (session, limits, now) => {
      const row = await touch(session, limits, now);
      return row && toSignIn(row);
    },
    startChallenge: (session, { codeFingerprint, expiresAt }, codesSentMax, now) => {
      const challenge = { codeFingerprint, codeExpiresAt: expiresAt };
      const set = { ...challenge, codesSent: sql`${codesSent} + 1`, lastSeenAt: latest(now) };
      return updatePending(session, set, lt(codesSent, codesSentMax));
    },
    startPasskeyChallenge: (session, { nonce, expiresAt }, now) => {
      const challenge = { passkeyNonce: nonce, passkeyExpiresAt: expiresAt };
      return updatePending(session, { ...challenge, lastSeenAt: latest(now) });
    },
    withdrawCode: async (session, fingerprint) => {
      const set = { codeFingerprint: null, codeExpiresAt: null };
      await updatePending(session, set, eq(psuSession.codeFingerprint, fingerprint));
    },
    complete: (completed) => complete(db, completed),
    revoke,
  };
}

/** One statement: the lock of the pending row decides between two that complete it. */
async function complete(
  db: Database,
  { session, opened, judged, at }: Completed,
): Promise<boolean> {
  const instant = sql`${at.toISOString()}::timestamptz`;
  const means = "passkeyNonce" in judged ? "passkey" : "code";
  const rows = await db.execute(sql`
    with proved as (
      update ${psuSession} set revoked_at = ${instant}, code_fingerprint = null, code_expires_at = null,
        passkey_nonce = null, passkey_expires_at = null
      where ${and(isPending(session), isOpenChallenge(psuSession, judged, at))} returning psu_id
    )
    insert into ${psuSession} (id_hash, psu_id, purpose, created_at, last_seen_at, sca_done_at, means)
    select ${opened}, psu_id, 'own-channel', ${instant}, ${instant}, ${instant}, ${means} from proved
    returning id_hash`);
  return rows.length === 1;
}

/** The password was right, and SCA is not done yet. */
function isPending(session: SessionHash): SQL | undefined {
  return and(isAlive("own-channel", session), isNull(scaDoneAt));
}

function toSignIn(row: Session): SignIn {
  const { psuId, createdAt: beganAt, scaDoneAt, codesSent } = row;
  const known = { session: row.idHash as SessionHash, psuId, beganAt, codesSent };
  return { ...known, ...withoutNulls({ scaDoneAt }), ...toChallenges(row) };
}

/** Sessions at authorisations, known by a hash of the id in the browser's cookie. */
export function psuSessionStore(db: Database) {
  const { open, touch, find, revoke } = sessions(db, "authorisation");
  return {
    ...{ open, revoke },

    find: async (hash: string, limits: SessionLimits, now: Date): Promise<PsuId | undefined> =>
      (await find(hash, limits, now))?.psuId,

    touch: async (hash: string, limits: SessionLimits, now: Date): Promise<PsuId | undefined> =>
      (await touch(hash, limits, now))?.psuId,

    /** Those opened before, ended or not. */
    destroyOpenedBefore: (which: Purpose, instant: Date, limit: number): Promise<number> => {
      const old = and(eq(purpose, which), lt(createdAt, instant));
      return deleteOldest(db, psuSession, old, { key: [idHash], orderBy: createdAt, limit });
    },
  };
}

/** Sessions of one purpose: none of them is one of the other. */
function sessions(db: Database, purpose: Purpose) {
  const runs = (hash: string, { inactivityMinutes, sessionMinutes }: SessionLimits, now: Date) => {
    const isActive = gte(lastSeenAt, addTime(now, -inactivityMinutes, "minute"));
    const isYoung = gte(createdAt, addTime(now, -sessionMinutes, "minute"));
    return and(isAlive(purpose, hash), isActive, isYoung);
  };
  return {
    /** Throws when the id is taken: no PSU gets another one's session. */
    open: async (
      idHash: string,
      psuId: PsuId,
      now: Date,
      proved: Partial<Pick<Session, "means" | "scaDoneAt">> = {},
    ): Promise<void> => {
      const times = { createdAt: now, lastSeenAt: now };
      await db.insert(psuSession).values({ idHash, psuId, purpose, ...times, ...proved });
    },

    /** Counts as activity (RTS art. 4(3)(d)). Undefined when the session was ended or has expired. */
    touch: async (hash: string, limits: SessionLimits, now: Date): Promise<Session | undefined> => {
      const [session] = await db
        .update(psuSession)
        .set({ lastSeenAt: latest(now) })
        .where(runs(hash, limits, now))
        .returning();
      return session;
    },

    find: async (hash: string, limits: SessionLimits, now: Date): Promise<Session | undefined> => {
      const [session] = await db
        .select()
        .from(psuSession)
        .where(runs(hash, limits, now));
      return session;
    },

    revoke: async (hash: string, now: Date): Promise<void> => {
      await db.update(psuSession).set({ revokedAt: now }).where(isAlive(purpose, hash));
    },
  };
}

function isAlive(which: Purpose, hash: string): SQL | undefined {
  return and(eq(idHash, hash), eq(purpose, which), isNull(revokedAt));
}

/** A request that is slower than the next one does not turn it back. */
function latest(now: Date) {
  return sql`greatest(${lastSeenAt}, ${sql.param(now, lastSeenAt)})`;
}
