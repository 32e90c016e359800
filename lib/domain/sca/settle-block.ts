import type { Ports } from "../ports";
import { failFor } from "./attempt";
import type { Authorisation } from "./authorisation";
import { isDecided } from "./sca-status";

/**
 * Fails an authorisation under way whose TPP the bank serves no more: the PSU's yes would move money, or
 * open accounts, without another call of that TPP. What is decided stays as it is.
 */
export async function settleBlock(
  ports: Pick<Ports, "authorisations" | "profile" | "stopList">,
  authorisation: Authorisation,
  now: Date,
): Promise<Authorisation> {
  const { id, scaStatus, tppId } = authorisation;
  if (isDecided(scaStatus)) return authorisation;
  if ((await ports.stopList.find(tppId, now)) === undefined) return authorisation;
  await failFor(ports, { id, because: "tpp-blocked", now });
  // Somebody else may have decided it a moment before: the store has the last word.
  return (await ports.authorisations.find(id)) ?? { ...authorisation, scaStatus: "failed" };
}
