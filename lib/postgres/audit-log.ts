import { auditEvent } from "@/drizzle/schema";
import type { AuditLog } from "@/lib/domain/audit/audit-log";
import type { Database } from "./client";

export function auditLog(db: Database): AuditLog {
  return {
    record: async ({ kind, at, tppId, requestId }) => {
      await db.insert(auditEvent).values({ kind, at, tppId, requestId });
    },
  };
}
