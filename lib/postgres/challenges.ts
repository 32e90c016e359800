import { and, eq, gt, type SQL } from "drizzle-orm";
import type { authorisation, psuSession } from "@/drizzle/schema/drawbridge";
import type { Judged } from "@/lib/domain/authorisation";

// An authorisation and a session of the bank's own channel keep their open challenges in the same columns.

type Columns = "codeFingerprint" | "codeExpiresAt" | "passkeyNonce" | "passkeyExpiresAt";
type Table = Pick<typeof authorisation, Columns> | Pick<typeof psuSession, Columns>;
type Row = Pick<typeof authorisation.$inferSelect, Columns>;

export const noChallenge = {
  codeFingerprint: null,
  codeExpiresAt: null,
  passkeyNonce: null,
  passkeyExpiresAt: null,
} as const;

/** The challenge that was answered is the open one, and has not expired. */
export function isOpenChallenge(table: Table, judged: Judged, at: Date): SQL | undefined {
  const { codeFingerprint, codeExpiresAt, passkeyNonce, passkeyExpiresAt } = table;
  return "codeFingerprint" in judged
    ? and(eq(codeFingerprint, judged.codeFingerprint), gt(codeExpiresAt, at))
    : and(eq(passkeyNonce, judged.passkeyNonce), gt(passkeyExpiresAt, at));
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
