import { and, asc, count, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { psuPasskey } from "@/drizzle/schema/drawbridge";
import { after } from "@/lib/domain/clock";
import { isUuid } from "@/lib/domain/identifiers";
import type {
  NewPasskey,
  Passkey,
  PasskeyAdding,
  PasskeyStore,
} from "@/lib/domain/passkeys/passkey";
import { atomically } from "./atomically";
import { recordEvent } from "./audit-log";
import type { Database } from "./client";

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
      const rows = await db
        .update(psuPasskey)
        .set({ counter: signed, lastUsedAt: now })
        .where(and(eq(id, which), isNull(removedAt), or(grown, uncounted)))
        .returning({ id });
      return rows.length === 1;
    },

    remove: async (which, psu, now) => {
      if (!isUuid(which)) return false;
      return atomically(db, async (tx) => {
        const rows = await tx
          .update(psuPasskey)
          .set({ removedAt: now })
          .where(and(eq(id, which), eq(psuId, psu), isNull(removedAt)))
          .returning({ id });
        if (rows.length === 0) return false;
        const event = { kind: "passkey-removed", psuId: psu, passkeyId: which, at: now } as const;
        await recordEvent(tx, event);
        return true;
      });
    },
  };
}

/**
 * A PSU's additions come one after the other: there is no row yet by whose lock they could be counted. One
 * that was removed makes room the day after, since each addition sends a text.
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
      .where(and(eq(psuId, psu), or(isNull(removedAt), gt(createdAt, after(at, -1, "day")))));
    if (own === undefined || own.inUse >= passkeysMax) return "too-many-passkeys";
    const added = await tx
      .insert(psuPasskey)
      .values({ ...passkey, transports: [...passkey.transports] })
      .onConflictDoNothing({ target: psuPasskey.credentialId })
      .returning({ id });
    if (added.length === 0) return "known-already";
    await recordEvent(tx, { kind: "passkey-added", psuId: psu, passkeyId: passkey.id, at });
    return "passkey-added";
  });
}

function toPasskey(row: typeof psuPasskey.$inferSelect): Passkey {
  const { lastUsedAt, removedAt: _, ...passkey } = row;
  return { ...passkey, ...(lastUsedAt !== null && { lastUsedAt }) };
}
