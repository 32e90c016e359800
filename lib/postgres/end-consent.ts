import { and, eq } from "drizzle-orm";
import { accountConsent, oidcPayload } from "@/drizzle/schema/drawbridge";
import { mayBecome } from "@/lib/domain/consent/consent-status";
import type { ConsentTransition } from "@/lib/domain/consent/consent-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { failOpenAuthorisation, lockAuthorisationOf } from "./fail-open-authorisation";
import { destroyPayloads } from "./oidc-models";

/**
 * Locks in the order that all transactions here keep: the authorisation, then consents by id, then
 * payloads. Throws on a change that the table of states does not know.
 */
export async function endConsent(db: Database, transition: ConsentTransition): Promise<boolean> {
  const { from, to } = transition;
  if (to === "valid" || !mayBecome(from, to)) throw new Error(`no consent ends ${from} to ${to}`);
  return atomically(db, (tx) => endWithin(tx, transition));
}

async function endWithin(tx: Transaction, transition: ConsentTransition): Promise<boolean> {
  const { consentId, from, to, on, at } = transition;
  const own = await lockAuthorisationOf(tx, "AIS", consentId);
  if (own === undefined) return false;
  const ended = await tx
    .update(accountConsent)
    .set({ status: to, lastActionDate: on, endedAt: at })
    .where(and(eq(accountConsent.id, consentId), eq(accountConsent.status, from)))
    .returning({ id: accountConsent.id });
  if (ended.length === 0) return false;
  await failOpenAuthorisation(tx, { id: own, because: "withdrawn-by-tpp", at });
  await destroyPayloads(tx, eq(oidcPayload.accountId, own));
  return true;
}
