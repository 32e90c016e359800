import { and, eq, gt, inArray, notExists, type SQL, sql } from "drizzle-orm";
import { authorisation, passkeyEvidence, tppBlock } from "@/drizzle/schema/drawbridge";
import type { AccountId, AuthorisationId, TppId } from "@/lib/domain/identifiers";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import { statesBefore } from "@/lib/domain/sca/sca-status";
import type { Confirmed } from "@/lib/domain/sca/subject";
import type { Transaction } from "./atomically";
import { inForce } from "./stop-list";

type Judged = Confirmed & {
  readonly authorisationId: AuthorisationId;
  readonly kind: ResourceKind;
  readonly resourceId: string;
  /** The accounts that were shown, where the decision is about these alone. */
  readonly selection?: readonly AccountId[];
};

/**
 * Locks the authorisation; yields its TPP only while this PSU's very challenge is the open one and runs,
 * and the bank serves the TPP.
 */
export async function lockOpenChallenge(
  tx: Transaction,
  judged: Judged,
): Promise<TppId | undefined> {
  const block = tx
    .select({ id: tppBlock.id })
    .from(tppBlock)
    .where(and(eq(tppBlock.tppId, authorisation.tppId), inForce(judged.at)));
  const [open] = await tx
    .select({ tppId: authorisation.tppId })
    .from(authorisation)
    .where(
      and(
        eq(authorisation.id, judged.authorisationId),
        eq(authorisation.kind, judged.kind),
        eq(authorisation.resourceId, judged.resourceId),
        eq(authorisation.psuId, judged.psuId),
        isAsked(judged),
        judged.selection && eq(authorisation.selection, [...judged.selection]),
        gt(authorisation.expiresAt, judged.at),
        inArray(authorisation.scaStatus, statesBefore("finalised")),
        notExists(block),
      ),
    )
    .for("no key update");
  return open?.tppId;
}

/** This very challenge is open and runs. */
function isAsked(judged: Confirmed): SQL | undefined {
  const { codeFingerprint, codeExpiresAt, passkeyNonce, passkeyExpiresAt } = authorisation;
  return "codeFingerprint" in judged
    ? and(eq(codeFingerprint, judged.codeFingerprint), gt(codeExpiresAt, judged.at))
    : and(eq(passkeyNonce, judged.passkeyNonce), gt(passkeyExpiresAt, judged.at));
}

/**
 * Whichever was answered, no other can be any more. The attempt is given back: it was no failure. What a
 * passkey has signed is kept with the decision, in the same transaction.
 */
export async function closeChallenge(
  tx: Transaction,
  decision: Confirmed & Pick<Judged, "authorisationId">,
): Promise<void> {
  const { authorisationId, psuId, at } = decision;
  if ("evidence" in decision) {
    const { evidence } = decision;
    await tx.insert(passkeyEvidence).values({ authorisationId, psuId, at, ...evidence });
  }
  await tx
    .update(authorisation)
    .set({
      scaStatus: "finalised",
      failedAttempts: sql`greatest(${authorisation.failedAttempts} - 1, 0)`,
      codeFingerprint: null,
      codeExpiresAt: null,
      passkeyNonce: null,
      passkeyExpiresAt: null,
      decidedAt: at,
    })
    .where(eq(authorisation.id, authorisationId));
}
