import { and, eq, inArray, lte } from "drizzle-orm";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import type { FailureReason, ResourceKind } from "@/lib/domain/sca/authorisation";
import { statesBefore } from "@/lib/domain/sca/sca-status";
import type { Transaction } from "./atomically";

/** Locks the authorisation of a resource: whoever changes both takes it first. */
export async function lockAuthorisationOf(
  tx: Transaction,
  kind: ResourceKind,
  resourceId: string,
): Promise<AuthorisationId | undefined> {
  const [own] = await tx
    .select({ id: authorisation.id })
    .from(authorisation)
    .where(and(eq(authorisation.kind, kind), eq(authorisation.resourceId, resourceId)))
    .for("no key update");
  return own?.id;
}

type Failing = {
  readonly id: AuthorisationId;
  readonly because: FailureReason;
  readonly at: Date;
};

/** `failed`, and its challenges with it; undefined when it was decided already, or is not over. */
export async function failOpenAuthorisation(tx: Transaction, { id, because, at }: Failing) {
  const [failed] = await tx
    .update(authorisation)
    .set({
      scaStatus: "failed",
      failedBecause: because,
      codeFingerprint: null,
      codeExpiresAt: null,
      passkeyNonce: null,
      passkeyExpiresAt: null,
      decidedAt: at,
    })
    .where(
      and(
        eq(authorisation.id, id),
        inArray(authorisation.scaStatus, statesBefore("failed")),
        // The PSU may have been given more time since somebody saw that the window was over.
        because === "window-over" ? lte(authorisation.expiresAt, at) : undefined,
      ),
    )
    .returning({ kind: authorisation.kind, resourceId: authorisation.resourceId });
  return failed;
}
