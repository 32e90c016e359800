import { and, eq, gte, isNull, lt, sql } from "drizzle-orm";
import { psuSession } from "@/drizzle/schema/drawbridge";
import { after } from "@/lib/domain/clock";
import type { PsuId } from "@/lib/domain/identifiers";
import type { Database } from "./client";

const { idHash, psuId, purpose, createdAt, lastSeenAt, revokedAt } = psuSession;
/** What is signed in to the bank's own channel opens no authorisation. */
const ofAuthorisation = eq(purpose, "authorisation");

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
        .set({ lastSeenAt: sql`greatest(${lastSeenAt}, ${sql.param(now, lastSeenAt)})` })
        .where(
          and(
            eq(idHash, hash),
            ofAuthorisation,
            isNull(revokedAt),
            gte(lastSeenAt, after(now, -inactivityMinutes, "minute")),
            gte(createdAt, after(now, -sessionMinutes, "minute")),
          ),
        )
        .returning({ psuId });
      return alive?.psuId;
    },

    /** Those opened before, alive or not, `limit` at most; yields how many went. */
    destroyOpenedBefore: async (which: Purpose, instant: Date, limit: number): Promise<number> => {
      const old = sql`${idHash} in (
        select ${idHash} from ${psuSession} where ${and(eq(purpose, which), lt(createdAt, instant))}
        order by ${createdAt} limit ${limit} for update skip locked)`;
      return (await db.delete(psuSession).where(old).returning({ idHash })).length;
    },

    revoke: async (hash: string, now: Date): Promise<void> => {
      await db
        .update(psuSession)
        .set({ revokedAt: now })
        .where(and(eq(idHash, hash), ofAuthorisation, isNull(revokedAt)));
    },
  };
}
