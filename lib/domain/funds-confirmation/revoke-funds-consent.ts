import type { ConsentId, PsuId } from "../identifiers";
import type { Ports } from "../ports";
import { currentFundsConsent } from "./current-funds-consent";

type ConsentPorts = Pick<Ports, "fundsConsents" | "authorisations" | "profile">;

type Asked = { readonly id: ConsentId; readonly psuId: PsuId; readonly now: Date };

/**
 * The PSU takes back the consent in the bank's own channel; its tokens die with it. False when it is
 * not valid, or not this PSU's: only who has authorised a consent may revoke it.
 */
export async function revokeFundsConsent(
  ports: ConsentPorts,
  { id, psuId, now }: Asked,
): Promise<boolean> {
  const found = await ports.fundsConsents.find(id);
  if (found === undefined || found.psuId !== psuId) return false;
  // What time has ended is not revoked any more.
  await currentFundsConsent(ports, found, now);
  return ports.fundsConsents.end({ consentId: id, from: "valid", to: "revokedByPsu", at: now });
}
