import { and, asc, eq, inArray, or } from "drizzle-orm";
import { accountConsent, accountGrant, oidcPayload } from "@/drizzle/schema/drawbridge";
import type { AuthorisationId, ConsentId, TppId } from "@/lib/domain/identifiers";
import type { AccountConsentDecision } from "@/lib/domain/sca/authorisation-store";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { fromGrants } from "./consent-row";
import { destroyPayloads } from "./oidc-models";
import { closeChallenge, lockOpenChallenge } from "./open-challenge";

/**
 * Locks first and writes only once every condition holds under the locks; they are taken in the
 * order of `endConsent`. Two recurring consents of one TPP and PSU that are authorised at once meet
 * at the unique index: the later one starts again and then finds the earlier one to replace.
 */
export function finaliseAccountConsent(
  db: Database,
  decision: AccountConsentDecision,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const challenge = { ...decision, kind: "AIS", resourceId: decision.consentId } as const;
    const tppId = await lockOpenChallenge(tx, challenge);
    if (tppId === undefined) return false;
    const consents = await lockConsents(tx, tppId, decision);
    const own = consents.find(({ id }) => id === decision.consentId);
    if (own?.status !== "received") return false;
    const older = own.recurring ? consents.filter((consent) => consent !== own) : [];
    await expire(tx, older, decision);
    await grant(tx, decision);
    return true;
  });
}

type LockedConsent = {
  readonly id: ConsentId;
  readonly authorisationId: AuthorisationId;
  readonly status: string;
  readonly recurring: boolean;
};

/** This consent and the recurring ones it may replace. */
function lockConsents(
  tx: Transaction,
  tppId: TppId,
  { consentId, psuId }: AccountConsentDecision,
): Promise<readonly LockedConsent[]> {
  const replaceable = and(
    eq(accountConsent.tppId, tppId),
    eq(accountConsent.psuId, psuId),
    eq(accountConsent.status, "valid"),
    eq(accountConsent.recurringIndicator, true),
  );
  return tx
    .select({
      id: accountConsent.id,
      authorisationId: accountConsent.authorisationId,
      status: accountConsent.status,
      recurring: accountConsent.recurringIndicator,
    })
    .from(accountConsent)
    .where(or(eq(accountConsent.id, consentId), replaceable))
    .orderBy(asc(accountConsent.id))
    .for("no key update");
}

/** NextGenPSD2 1.3.12: a recurring consent that is authorised ends the former one of the same TPP. */
async function expire(
  tx: Transaction,
  older: readonly LockedConsent[],
  { on, at }: AccountConsentDecision,
): Promise<void> {
  if (older.length === 0) return;
  const ids = older.map(({ id }) => id);
  const authorisations = older.map(({ authorisationId }) => authorisationId);
  await tx
    .update(accountConsent)
    .set({ status: "expired", lastActionDate: on, endedAt: at })
    .where(inArray(accountConsent.id, ids));
  await destroyPayloads(tx, inArray(oidcPayload.accountId, authorisations));
}

async function grant(tx: Transaction, decision: AccountConsentDecision): Promise<void> {
  const { consentId, psuId, grantedAccounts, on, at } = decision;
  await closeChallenge(tx, decision);
  await tx
    .update(accountConsent)
    .set({ status: "valid", psuId, authorisedAt: at, lastActionDate: on })
    .where(eq(accountConsent.id, consentId));
  await tx.insert(accountGrant).values(fromGrants(consentId, grantedAccounts));
}
