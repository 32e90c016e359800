import { and, eq } from "drizzle-orm";
import { fundsConsent } from "@/drizzle/schema/drawbridge";
import type { FundsConsentDecision } from "@/lib/domain/sca/authorisation-store";
import { atomically } from "./atomically";
import type { Database } from "./client";
import { closeChallenge, lockOpenChallenge } from "./open-challenge";

/** Writes only once every condition holds; the authorisation is locked before the consent, as everywhere. */
export function finaliseFundsConsent(
  db: Database,
  { authorisationId, consentId, accountId, psuId, ...decision }: FundsConsentDecision,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const challenge = {
      ...decision,
      authorisationId,
      psuId,
      resourceId: consentId,
      selection: [accountId],
    };
    const tppId = await lockOpenChallenge(tx, { ...challenge, kind: "PIIS" });
    if (tppId === undefined) return false;
    const rows = await tx
      .update(fundsConsent)
      .set({ status: "valid", psuId, accountId, authorisedAt: decision.at })
      .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, "received")))
      .returning({ id: fundsConsent.id });
    if (rows.length === 0) return false;
    await closeChallenge(tx, { ...decision, authorisationId, psuId });
    return true;
  });
}
