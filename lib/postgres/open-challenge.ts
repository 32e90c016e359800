import { and, eq, gt, inArray, notExists, sql } from "drizzle-orm";
import { authorisation, tppBlock } from "@/drizzle/schema";
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
  /** The accounts that the code was sent for, where the decision is about these alone. */
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
        eq(authorisation.codeFingerprint, judged.codeFingerprint),
        judged.selection && eq(authorisation.selection, [...judged.selection]),
        gt(authorisation.codeExpiresAt, judged.at),
        gt(authorisation.expiresAt, judged.at),
        inArray(authorisation.scaStatus, statesBefore("finalised")),
        notExists(block),
      ),
    )
    .for("no key update");
  return open?.tppId;
}

/** The attempt that was taken for this code is given back: it was no failure. */
export async function closeChallenge(
  tx: Transaction,
  { authorisationId, at }: Pick<Judged, "authorisationId" | "at">,
): Promise<void> {
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
}
