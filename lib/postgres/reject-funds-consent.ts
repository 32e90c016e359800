import { and, eq } from "drizzle-orm";
import { fundsConsent } from "@/drizzle/schema/drawbridge";
import type { ConsentId } from "@/lib/domain/identifiers";
import type { Transaction } from "./atomically";

/** What its authorisation's failure does to a consent that nobody has authorised; others stay as they are. */
export async function rejectFundsConsent(tx: Transaction, id: ConsentId, at: Date): Promise<void> {
  await tx
    .update(fundsConsent)
    .set({ status: "rejected", endedAt: at })
    .where(and(eq(fundsConsent.id, id), eq(fundsConsent.status, "received")));
}
