import { auditEvent } from "@/drizzle/schema/drawbridge";
import type { AuditEvent, AuditLog } from "@/lib/domain/audit/audit-log";
import type { Transaction } from "./atomically";
import type { Database } from "./client";

export function auditLog(db: Database): AuditLog {
  return { record: (event) => recordEvent(db, event) };
}

/** Where an event belongs to a change, it is recorded in the change's own transaction. */
export async function recordEvent(db: Database | Transaction, event: AuditEvent): Promise<void> {
  await db.insert(auditEvent).values(event);
}
