import { CertificateFault } from "@/lib/eidas/certificate-fault";
import type { Qwac } from "@/lib/eidas/qwac";
import { tppIdentity } from "@/lib/eidas/tpp-identity";
import { readOrUndefined } from "./certificate-facts";

/**
 * Whose a certificate says it is, whether it is believed or not: so that what the server would look at
 * next can be looked at. Undefined when it does not say so.
 */
export function claimedBy(der: Uint8Array): Qwac | undefined {
  const certificate = readOrUndefined(der);
  if (certificate === undefined) return undefined;
  try {
    return { tpp: tppIdentity(certificate), certificate, thumbprint: certificate.thumbprint };
  } catch (error) {
    if (error instanceof CertificateFault) return undefined;
    throw error;
  }
}
