import { after } from "@/lib/domain/clock";
import type { PsuId } from "@/lib/domain/identifiers";
import type { PsuSessionStore } from "../house";

/** Keeps the ends as the store's contract says: both limits are inclusive. */
export function sessionsInMemory() {
  const rows = new Map<string, { psuId: PsuId; created: Date; seen: Date; revoked: boolean }>();
  const store: PsuSessionStore = {
    open: async (hash, psuId, at) => {
      rows.set(hash, { psuId, created: at, seen: at, revoked: false });
    },
    touch: async (hash, at, inactivityMinutes, sessionMinutes) => {
      const row = rows.get(hash);
      if (row === undefined || row.revoked) return undefined;
      if (row.seen < after(at, -inactivityMinutes, "minute")) return undefined;
      if (row.created < after(at, -sessionMinutes, "minute")) return undefined;
      row.seen = at;
      return row.psuId;
    },
    revoke: async (hash) => {
      const row = rows.get(hash);
      if (row !== undefined) row.revoked = true;
    },
  };
  return { rows, store };
}
