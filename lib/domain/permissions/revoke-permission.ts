import { revokeAccountConsent } from "../consent/revoke-account-consent";
import { revokeFundsConsent } from "../funds-confirmation/revoke-funds-consent";
import type { ConsentId } from "../identifiers";
import type { Ports } from "../ports";
import type { Permission } from "./permission";
import type { PermissionAsked } from "./read-permissions";

type RevokingPorts = Pick<Ports, "consents" | "fundsConsents" | "authorisations" | "profile">;

/** A payment order that its PSU has confirmed is not taken back (PSD2 art. 80). */
export function mayBeRevoked({ kind, state }: Pick<Permission, "kind" | "state">): boolean {
  return kind !== "payments" && state === "active";
}

/**
 * From now on the TPP's next call is refused, on every server, and its tokens are dead. False when there
 * is nothing to end: unknown, another PSU's, ended already, or a payment.
 */
export async function revokePermission(
  ports: RevokingPorts,
  { psuId, kind, id, now }: PermissionAsked,
): Promise<boolean> {
  const asked = { id: id as ConsentId, psuId, now };
  if (kind === "accounts") return revokeAccountConsent(ports, asked);
  return kind === "funds" && revokeFundsConsent(ports, asked);
}
