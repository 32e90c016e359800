import { and, asc, count, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { psuPasskey } from "@/drizzle/schema/drawbridge";
import type { NewPasskey, Passkey, PasskeyAdding, PasskeyStore } from "@/lib/domain/passkeys";
import { addTime, isUuid } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import { atomically, type Database } from "./client";

const { id, psuId, counter, createdAt, removedAt } = psuPasskey;

export function passkeyStore(db: Database): PasskeyStore {
  return {
    ofPsu: async (psu) => {
      const rows = await db
        .select()
        .from(psuPasskey)
        .where(and(eq(psuId, psu), isNull(removedAt)))
        .orderBy(asc(createdAt), asc(id));
      return rows.map(toPasskey);
    },

    ownerOf: async (credentialId) => {
      const [row] = await db
        .select({ psuId })
        .from(psuPasskey)
        .where(and(eq(psuPasskey.credentialId, credentialId), isNull(removedAt)));
      return row?.psuId;
    },

    add: (passkey, passkeysMax) => add(db, passkey, passkeysMax),

    // WebAuthn 7.2, step 22: devices that do not count say 0 each time.
    use: async (which, signed, now) => {
      const grown = lt(counter, signed);
      const uncounted = and(eq(counter, 0), eq(sql`${signed}::bigint`, 0));
      const used = await db
        .update(psuPasskey)
        .set({ counter: signed, lastUsedAt: now })
        .where(and(eq(id, which), isNull(removedAt), or(grown, uncounted)));
      return used.count === 1;
    },

    remove: async (which, psu, now) => {
      if (!isUuid(which)) return false;
      const removed = await db
        .update(psuPasskey)
        .set({ removedAt: now })
        .where(and(eq(id, which), eq(psuId, psu), isNull(removedAt)));
      return removed.count === 1;
    },
  };
}

/**
 * Serialised by an advisory lock for each PSU: there may be no row yet to lock. A removed passkey makes
 * room the day after, since each addition sends a text.
 */
function add(db: Database, passkey: NewPasskey, passkeysMax: number): Promise<PasskeyAdding> {
  const { psuId: psu, createdAt: at } = passkey;
  return atomically(db, async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`passkeys of ${psu}`}, 0))`,
    );
    const [own] = await tx
      .select({ inUse: count() })
      .from(psuPasskey)
      .where(and(eq(psuId, psu), or(isNull(removedAt), gt(createdAt, addTime(at, -1, "day")))));
    if (own === undefined || own.inUse >= passkeysMax) return "too-many-passkeys";
    const added = await tx
      .insert(psuPasskey)
      .values({ ...passkey, transports: [...passkey.transports] })
      .onConflictDoNothing({ target: psuPasskey.credentialId });
    return added.count === 0 ? "known-already" : "passkey-added";
  });
}

function toPasskey(row: typeof psuPasskey.$inferSelect): Passkey {
  const { removedAt: _, ...passkey } = row;
  return withoutNulls(passkey);
}
