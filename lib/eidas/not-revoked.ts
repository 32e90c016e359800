import { reject } from "@/lib/domain/rejection";
import type { Certificate } from "./certificate";
import type { Revocation } from "./revocation/revocation";
import type { TrustAnchors } from "./trust";
import { issuerOf } from "./trusted-certificate";

type Checking = { readonly revocation: Revocation; readonly trustAnchors: TrustAnchors };

type Asked = {
  readonly certificate: Certificate;
  /** Whether an issuer that cannot be asked ends the request in any mode: where money moves. */
  readonly hard: boolean;
  readonly now: Date;
  /** The header the certificate came in; none for that of the connection. */
  readonly path?: string;
};

/** The issuer of a trusted certificate still stands by it. Rejects with 401 CERTIFICATE_REVOKED or CERTIFICATE_INVALID. */
export async function checkNotRevoked(
  { revocation, trustAnchors }: Checking,
  { certificate, hard, now, path }: Asked,
): Promise<void> {
  const issued = { certificate, issuer: issuerOf(certificate, trustAnchors) };
  const verdict = await revocation.check(issued, { hard, now });
  if (verdict === "counts") return;
  const where = path === undefined ? {} : { path };
  if (verdict === "revoked") {
    throw reject("CERTIFICATE_REVOKED", "certificate has been revoked by its issuer", where);
  }
  throw reject("CERTIFICATE_INVALID", untold(certificate), where);
}

function untold({ ocspUrls, crlUrls }: Certificate): string {
  return ocspUrls.length + crlUrls.length === 0
    ? "certificate names no place that tells whether it is revoked"
    : "certificate's issuer could not tell whether it is revoked";
}
