import { checkNotRevoked } from "./not-revoked";
import { presentedQwac } from "./presented-qwac";
import type { Qwac } from "./qwac";
import type { Revocation } from "./revocation/revocation";
import type { TrustAnchors } from "./trust";

type Checking = { readonly revocation: Revocation; readonly trustAnchors: TrustAnchors };

/**
 * Who asks for a token. What the token will open is not known yet; a TPP that may initiate payments
 * may be about to move money, so an unknown status refuses it in any mode. Rejects with 401 CERTIFICATE_*.
 */
export async function checkTokenClient(
  clientCert: string | undefined,
  checking: Checking,
  now: Date,
): Promise<Qwac> {
  const qwac = presentedQwac(clientCert, checking.trustAnchors, now);
  const hard = qwac.tpp.roles.includes("PSP_PI");
  await checkNotRevoked(checking, { certificate: qwac.certificate, hard, now });
  return qwac;
}
