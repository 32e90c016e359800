import type { ConsentId, PsuId } from "../identifiers";
import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import { currentConsent } from "./current-consent";

type ConsentPorts = Pick<Ports, "consents" | "authorisations" | "profile">;

type Asked = { readonly id: ConsentId; readonly psuId: PsuId; readonly now: Date };

/**
 * The PSU takes back the consent in the bank's own channel; its tokens die with it. False when it is
 * not valid, or not this PSU's: only who has authorised a consent may revoke it.
 */
export async function revokeAccountConsent(
  ports: ConsentPorts,
  { id, psuId, now }: Asked,
): Promise<boolean> {
  const found = await ports.consents.find(id);
  if (found === undefined || found.psuId !== psuId) return false;
  // What time has ended is not revoked any more.
  await currentConsent(ports, found, now);
  const on = dayIn(ports.profile.timeZone, now);
  return ports.consents.end({ consentId: id, from: "valid", to: "revokedByPsu", on, at: now });
}
