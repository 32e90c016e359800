import { reject } from "@/lib/domain/rejection";
import type { Certificate } from "./certificate";
import { CertificateFault, rejectFaults } from "./certificate-fault";
import { checkIsNoAuthority, checkMaySeal } from "./key-purpose";
import { checkQualifiedType } from "./qualified-type";
import type { Qwac } from "./qwac";
import { shown } from "./shown";
import { readSignatureCertificate } from "./signature-certificate";
import { tppIdentity } from "./tpp-identity";
import type { TrustAnchors } from "./trust";
import { readTrustedCertificate } from "./trusted-certificate";

const path = "TPP-Signature-Certificate";

/**
 * The seal certificate of a signed request, from its header; it must be of the TPP that the QWAC
 * of the connection names. Throws a Rejection CERTIFICATE_MISSING, CERTIFICATE_INVALID or
 * CERTIFICATE_EXPIRED that points at the header.
 */
export function checkQseal(
  headerValue: string | undefined,
  qwac: Qwac,
  anchors: TrustAnchors,
  now: Date,
): Certificate {
  if (headerValue === undefined) {
    throw reject(
      "CERTIFICATE_MISSING",
      "TPP-Signature-Certificate is missing: no signature certificate was presented",
      { path },
    );
  }
  return rejectFaults({ path }, () => {
    const presented = { text: headerValue, read: readSignatureCertificate };
    const certificate = readTrustedCertificate(presented, anchors, { type: "eseal", now });
    checkIsNoAuthority(certificate);
    checkQualifiedType(certificate, "eseal");
    checkMaySeal(certificate);
    const { id } = tppIdentity(certificate);
    if (id !== qwac.tpp.id) {
      throw new CertificateFault(
        `certificate belongs to another TPP, ${shown(id)}, than the client certificate, ${shown(qwac.tpp.id)}`,
      );
    }
    return certificate;
  });
}
