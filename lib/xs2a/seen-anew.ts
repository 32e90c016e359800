import type { Arrival, Named } from "@/lib/domain/tpp/arrival";
import { checkArrival } from "@/lib/domain/tpp/not-blocked";
import type { Exchange } from "./exchange";
import type { Xs2aPorts } from "./ports";

/** A request in order takes some milliseconds; whoever takes longer has waited for an issuer or a body. */
const OLD_AFTER_MS = 500;

/**
 * What the request is about, as it is now: while issuers were asked about the certificates, for half a
 * minute at the worst, the PSU may have revoked the consent, or the bank blocked the TPP. Rejects with 401
 * CERTIFICATE_BLOCKED.
 */
export async function seenAnew(
  arrival: Arrival,
  asked: Named,
  { openedAtMs }: Exchange,
  { arrivals }: Pick<Xs2aPorts, "arrivals">,
): Promise<Arrival> {
  if (performance.now() - openedAtMs < OLD_AFTER_MS) return arrival;
  const again = await arrivals.look(asked);
  if (arrival.tppId !== undefined) checkArrival(again, arrival.tppId);
  return again;
}
