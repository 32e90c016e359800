import { and, eq, inArray } from "drizzle-orm";
import { accountConsent, authorisation, oidcPayload } from "@/drizzle/schema";
import type { AuthorisationId, ConsentId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import { statesBefore } from "@/lib/domain/sca/sca-status";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { destroyPayloads } from "./oidc-models";

/** Locks the authorisation first, then its consent: the order of `endConsent`. */
export function failAuthorisation(
  db: Database,
  id: AuthorisationId,
  on: IsoDate,
  at: Date,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const [failed] = await tx
      .update(authorisation)
      .set({ scaStatus: "failed", codeFingerprint: null, codeExpiresAt: null, decidedAt: at })
      .where(
        and(eq(authorisation.id, id), inArray(authorisation.scaStatus, statesBefore("failed"))),
      )
      .returning({ kind: authorisation.kind, resourceId: authorisation.resourceId });
    if (failed === undefined) return false;
    if (failed.kind === "AIS") await rejectConsent(tx, failed.resourceId as ConsentId, on, at);
    await destroyPayloads(tx, eq(oidcPayload.accountId, id));
    return true;
  });
}

async function rejectConsent(tx: Transaction, id: ConsentId, on: IsoDate, at: Date): Promise<void> {
  await tx
    .update(accountConsent)
    .set({ status: "rejected", lastActionDate: on, endedAt: at })
    .where(and(eq(accountConsent.id, id), eq(accountConsent.status, "received")));
}
