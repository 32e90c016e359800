import { type Allowance, rateLimitHeaders } from "../account-access/allowance";
import type { TppId } from "../identifiers";
import type { Ports } from "../ports";
import { reject } from "../rejection";

/**
 * How many requests a TPP may send in a minute, counted over all servers. A minute begins with a TPP's
 * first request after the last one.
 */
export type TppAllowance = {
  /** One request. When the minute's are used up, what the TPP is told; then nothing is counted. */
  readonly take: (tppId: TppId, now: Date) => Promise<Allowance | "admitted">;
};

/**
 * Rejects with 429 ACCESS_EXCEEDED. Called once the certificate is known to be genuine, so that nobody can
 * use up another TPP's requests, and before anything is verified or read that costs more.
 */
export async function admitTpp(
  { tppAllowance }: Pick<Ports, "tppAllowance">,
  tppId: TppId,
  now: Date,
): Promise<void> {
  const allowance = await tppAllowance.take(tppId, now);
  if (allowance === "admitted") return;
  const text = `${allowance.limit} requests were sent within a minute, which is the limit for a TPP`;
  const wait = Math.max(1, allowance.resetSeconds);
  throw reject("ACCESS_EXCEEDED", text, {
    headers: { ...rateLimitHeaders(allowance), "retry-after": String(wait) },
  });
}
