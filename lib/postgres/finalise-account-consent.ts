import { and, asc, eq, gt, inArray, or, sql } from "drizzle-orm";
import { accountConsent, accountGrant, authorisation, oidcPayload } from "@/drizzle/schema";
import type { AuthorisationId, ConsentId, TppId } from "@/lib/domain/identifiers";
import type { AccountConsentDecision } from "@/lib/domain/sca/authorisation-store";
import { statesBefore } from "@/lib/domain/sca/sca-status";
import { atomically, type Transaction } from "./atomically";
import type { Database } from "./client";
import { fromGrants } from "./consent-row";
import { destroyPayloads } from "./oidc-models";

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
    const tppId = await lockOpenChallenge(tx, decision);
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

/** Yields the TPP only while this PSU's very challenge is the open one and runs. */
async function lockOpenChallenge(
  tx: Transaction,
  { authorisationId, consentId, psuId, codeFingerprint, at }: AccountConsentDecision,
): Promise<TppId | undefined> {
  const [open] = await tx
    .select({ tppId: authorisation.tppId })
    .from(authorisation)
    .where(
      and(
        eq(authorisation.id, authorisationId),
        eq(authorisation.kind, "AIS"),
        eq(authorisation.resourceId, consentId),
        eq(authorisation.psuId, psuId),
        eq(authorisation.codeFingerprint, codeFingerprint),
        gt(authorisation.codeExpiresAt, at),
        gt(authorisation.expiresAt, at),
        inArray(authorisation.scaStatus, statesBefore("finalised")),
      ),
    )
    .for("no key update");
  return open?.tppId;
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

/** The attempt that was taken for this code is given back: it was no failure. */
async function grant(tx: Transaction, decision: AccountConsentDecision): Promise<void> {
  const { authorisationId, consentId, psuId, grantedAccounts, on, at } = decision;
  await tx
    .update(authorisation)
    .set({
      scaStatus: "finalised",
      failedAttempts: sql`greatest(${authorisation.failedAttempts} - 1, 0)`,
      codeFingerprint: null,
      codeExpiresAt: null,
      decidedAt: at,
    })
    .where(eq(authorisation.id, authorisationId));
  await tx
    .update(accountConsent)
    .set({ status: "valid", psuId, authorisedAt: at, lastActionDate: on })
    .where(eq(accountConsent.id, consentId));
  await tx.insert(accountGrant).values(fromGrants(consentId, grantedAccounts));
}
