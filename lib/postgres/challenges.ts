import { and, eq, gt, type SQL } from "drizzle-orm";
import type { authorisation, psuSession } from "@/drizzle/schema/drawbridge";
import type { ApprovalChallenge, Judged, JudgedHere } from "@/lib/domain/authorisation";

// An authorisation and a session of the bank's own channel keep their open challenges in the same columns; the identity
// provider is asked for a yes in an authorisation alone.

type Columns = "codeFingerprint" | "codeExpiresAt" | "passkeyNonce" | "passkeyExpiresAt";
type Table = Pick<typeof authorisation, Columns> | Pick<typeof psuSession, Columns>;
type Row = Pick<typeof authorisation.$inferSelect, Columns>;

export const noChallenge = {
  codeFingerprint: null,
  codeExpiresAt: null,
  passkeyNonce: null,
  passkeyExpiresAt: null,
} as const;

export const noApproval = {
  approvalNonce: null,
  approvalExpiresAt: null,
  approvalRequest: null,
  approvalPollAt: null,
} as const;

/** The challenge that was answered is the open one, and has not expired. */
export function isOpenChallenge(table: Table, judged: JudgedHere, at: Date): SQL | undefined {
  const { codeFingerprint, codeExpiresAt, passkeyNonce, passkeyExpiresAt } = table;
  return "codeFingerprint" in judged
    ? and(eq(codeFingerprint, judged.codeFingerprint), gt(codeExpiresAt, at))
    : and(eq(passkeyNonce, judged.passkeyNonce), gt(passkeyExpiresAt, at));
}

/** The same of an authorisation, where the identity provider may have answered. */
export function isOpenIn(table: typeof authorisation, judged: Judged, at: Date): SQL | undefined {
  if (!("approvalNonce" in judged)) return isOpenChallenge(table, judged, at);
  return and(eq(table.approvalNonce, judged.approvalNonce), gt(table.approvalExpiresAt, at));
}

type ApprovalRow = Pick<typeof authorisation.$inferSelect, keyof typeof noApproval>;

export function toApproval(row: ApprovalRow): { readonly approval?: ApprovalChallenge } {
  const { approvalNonce: nonce, approvalExpiresAt: expiresAt } = row;
  const { approvalRequest: id, approvalPollAt: pollAt } = row;
  if (nonce === null || expiresAt === null) return {};
  const request = id === null || pollAt === null ? {} : { request: { id, pollAt } };
  return { approval: { nonce, expiresAt, ...request } };
}

export function toChallenges(row: Row) {
  const { codeFingerprint, codeExpiresAt, passkeyNonce: nonce, passkeyExpiresAt } = row;
  return {
    ...(codeFingerprint !== null &&
      codeExpiresAt !== null && { challenge: { codeFingerprint, expiresAt: codeExpiresAt } }),
    ...(nonce !== null &&
      passkeyExpiresAt !== null && { passkeyChallenge: { nonce, expiresAt: passkeyExpiresAt } }),
  };
}
