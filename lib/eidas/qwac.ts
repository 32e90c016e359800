import { reject } from "@/lib/domain/rejection";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import type { Certificate } from "./certificate";
import { rejectFaults } from "./certificate-fault";
import { checkIsNoAuthority, checkMayAuthenticateClient } from "./key-purpose";
import { checkQualifiedType } from "./qualified-type";
import { tppIdentity } from "./tpp-identity";
import type { TrustAnchors } from "./trust";
import { type Presented, readTrustedCertificate } from "./trusted-certificate";

/** A QWAC that has been believed, and the TPP it stands for. */
export type Qwac = {
  readonly tpp: Tpp;
  readonly certificate: Certificate;
  /** `x5t#S256`, which access tokens are bound to. */
  readonly thumbprint: string;
};

/**
 * RTS art. 30 and 34: the TPP identifies itself with the qualified certificate of its TLS
 * connection. Throws a Rejection CERTIFICATE_MISSING, CERTIFICATE_INVALID or CERTIFICATE_EXPIRED.
 */
export function checkQwac(
  presented: Presented | undefined,
  anchors: TrustAnchors,
  now: Date,
): Qwac {
  if (presented === undefined)
    throw reject("CERTIFICATE_MISSING", "no client certificate was presented");
  return rejectFaults({}, () => {
    const certificate = readTrustedCertificate(presented, anchors, { type: "web", now });
    checkIsNoAuthority(certificate);
    checkQualifiedType(certificate, "web");
    checkMayAuthenticateClient(certificate);
    return { tpp: tppIdentity(certificate), certificate, thumbprint: certificate.thumbprint };
  });
}
