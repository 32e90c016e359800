import { and, eq } from "drizzle-orm";
import { fundsConsent, oidcPayload } from "@/drizzle/schema/drawbridge";
import { fundsConsentMayBecome } from "@/lib/domain/funds-confirmation/funds-consent-status";
import type { FundsConsentTransition } from "@/lib/domain/funds-confirmation/funds-consent-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { failOpenAuthorisation, lockAuthorisationOf } from "./fail-open-authorisation";
import { destroyPayloads } from "./oidc-models";

/** Locks in the order of `endConsent`. Throws on a change that the table of states does not know. */
export async function endFundsConsent(
  db: Database,
  transition: FundsConsentTransition,
): Promise<boolean> {
  const { from, to } = transition;
  if (to === "valid" || !fundsConsentMayBecome(from, to)) {
    throw new Error(`no funds consent ends ${from} to ${to}`);
  }
  return atomically(db, (tx) => endWithin(tx, transition));
}

async function endWithin(
  tx: Transaction,
  { consentId, from, to, at }: FundsConsentTransition,
): Promise<boolean> {
  const own = await lockAuthorisationOf(tx, "PIIS", consentId);
  if (own === undefined) return false;
  const ended = await tx
    .update(fundsConsent)
    .set({ status: to, endedAt: at })
    .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, from)))
    .returning({ id: fundsConsent.id });
  if (ended.length === 0) return false;
  await failOpenAuthorisation(tx, { id: own, because: "withdrawn-by-tpp", at });
  await destroyPayloads(tx, eq(oidcPayload.accountId, own));
  return true;
}
