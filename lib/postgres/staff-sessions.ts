import { and, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { staffSession } from "@/drizzle/schema/drawbridge";
import type { StaffSessions } from "@/lib/domain/staff";
import { addTime } from "@/lib/domain/values";
import type { Database } from "./client";
import { deleteOldest } from "./columns";

const { idHash, createdAt, lastSeenAt, endedAt } = staffSession;

export function staffSessionStore(db: Database): StaffSessions {
  return {
    open: async (hash, { id: operator, name, roles }, now) => {
      const times = { createdAt: now, lastSeenAt: now };
      await db
        .insert(staffSession)
        .values({ idHash: hash, operator, name, roles: [...roles], ...times });
    },
    touch: async (hash, { inactivityMinutes, sessionMinutes }, now) => {
      const isActive = gte(lastSeenAt, addTime(now, -inactivityMinutes, "minute"));
      const isYoung = gte(createdAt, addTime(now, -sessionMinutes, "minute"));
      const [found] = await db
        .update(staffSession)
        .set({ lastSeenAt: sql`greatest(${lastSeenAt}, ${sql.param(now, lastSeenAt)})` })
        .where(and(isOpen(hash), isActive, isYoung))
        .returning();
      return found && { id: found.operator, name: found.name, roles: found.roles };
    },
    end: async (hash, now) => {
      await db.update(staffSession).set({ endedAt: now }).where(isOpen(hash));
    },
  };
}

function isOpen(hash: string): SQL | undefined {
  return and(eq(idHash, hash), isNull(endedAt));
}

/** Those that began before, ended or not; yields how many were deleted. */
export function destroyStaffSessions(db: Database, instant: Date, limit: number): Promise<number> {
  const old = lt(createdAt, instant);
  return deleteOldest(db, staffSession, old, { key: [idHash], orderBy: createdAt, limit });
}
