import { and, eq } from "drizzle-orm";
import { accountConsent, oidcPayload } from "@/drizzle/schema/drawbridge";
import type { ConsentId, PaymentId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Failure } from "@/lib/domain/sca/authorisation-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { failOpenAuthorisation } from "./fail-open-authorisation";
import { destroyPayloads } from "./oidc-models";
import { rejectPayment } from "./payment-state";
import { rejectFundsConsent } from "./reject-funds-consent";

/** Locks the authorisation first, then its consent: the order of `endConsent`. */
export function failAuthorisation(
  db: Database,
  { id, because, on, at }: Failure,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const failed = await failOpenAuthorisation(tx, { id, because, at });
    if (failed === undefined) return false;
    const { kind, resourceId } = failed;
    if (kind === "AIS") await rejectConsent(tx, resourceId as ConsentId, on, at);
    if (kind === "PIIS") await rejectFundsConsent(tx, resourceId as ConsentId, at);
    if (kind === "PIS") await rejectPayment(tx, resourceId as PaymentId, because, at);
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
