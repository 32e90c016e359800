import type { Ports } from "../ports";
import type { FirstAnswer, RequestKey, StoredAnswer } from "./payment-store";

type Repeated = {
  readonly first: FirstAnswer;
  readonly key: RequestKey;
  /** Of the bytes that came now. */
  readonly bodyDigest: string;
  readonly now: Date;
};

/**
 * The first answer, whatever came with the request this time. A body that differs is no error towards
 * the TPP, but something the bank wants to have seen: a TPP that gives two payments one id, or
 * somebody who tries to change one.
 */
export async function answerAgain(
  { auditLog }: Pick<Ports, "auditLog">,
  { first, key, bodyDigest, now }: Repeated,
): Promise<StoredAnswer> {
  if (first.bodyDigest !== bodyDigest) {
    await auditLog.record({ kind: "idempotency-mismatch", ...key, at: now });
  }
  return first.answer;
}
