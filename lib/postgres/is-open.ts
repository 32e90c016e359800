import { and, gt, inArray, type SQL } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import { type ScaStatus, statesBefore } from "@/lib/domain/sca/sca-status";

/** Authorisations whose window runs and whose status may still become `to`. */
export function isOpen(to: ScaStatus, now: Date | SQL): SQL | undefined {
  return and(inArray(authorisation.scaStatus, statesBefore(to)), gt(authorisation.expiresAt, now));
}
