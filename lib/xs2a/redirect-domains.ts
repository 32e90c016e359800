import type { Qwac } from "@/lib/eidas/qwac";
import type { Xs2aPorts } from "./ports";

/**
 * The host names of the certificate that redirect URIs have to lie in: a URI elsewhere would carry
 * an authorisation code to a stranger. The sandbox does not insist, its TPPs live on localhost.
 */
export function redirectDomains(
  { certificate }: Qwac,
  { redirectUriDomainCheck }: Pick<Xs2aPorts, "redirectUriDomainCheck">,
): readonly string[] | undefined {
  return redirectUriDomainCheck === "strict" ? certificate.dnsNames : undefined;
}
