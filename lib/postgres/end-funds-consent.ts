import { and, eq, inArray } from "drizzle-orm";
import { authorisation, fundsConsent, oidcPayload } from "@/drizzle/schema";
import { fundsConsentMayBecome } from "@/lib/domain/funds-confirmation/funds-consent-status";
import type { FundsConsentTransition } from "@/lib/domain/funds-confirmation/funds-consent-store";
import { statesBefore } from "@/lib/domain/sca/sca-status";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
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
  const [own] = await tx
    .select({ id: authorisation.id })
    .from(authorisation)
    .where(and(eq(authorisation.kind, "PIIS"), eq(authorisation.resourceId, consentId)))
    .for("no key update");
  if (own === undefined) return false;
  const ended = await tx
    .update(fundsConsent)
    .set({ status: to, endedAt: at })
    .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, from)))
    .returning({ id: fundsConsent.id });
  if (ended.length === 0) return false;
  await tx
    .update(authorisation)
    .set({
      scaStatus: "failed",
      failedBecause: "withdrawn-by-tpp",
      codeFingerprint: null,
      codeExpiresAt: null,
      decidedAt: at,
    })
    .where(
      and(eq(authorisation.id, own.id), inArray(authorisation.scaStatus, statesBefore("failed"))),
    );
  await destroyPayloads(tx, eq(oidcPayload.accountId, own.id));
  return true;
}
