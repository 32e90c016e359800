import { recall } from "./bounded-cache";
import { type Certificate, openCertificate, readCertificate, thumbprintOf } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";
import type { QualifiedType } from "./qualified-type";
import { checkStrength } from "./strength";
import { issuersOf, type TrustAnchor, type TrustAnchors } from "./trust";
import { checkValidity, isValidAt } from "./validity";

type Trusted = { readonly certificate: Certificate; readonly issuers: readonly TrustAnchor[] };

/** Certificates already read, for each list of anchors. */
const trusted = new WeakMap<TrustAnchors, Map<string, Trusted>>();

/**
 * Reads a certificate of this type that an anchor issued, as it is granted to, and that is valid now.
 * Nothing beyond the signature is read of a stranger's certificate, and strangers are all told the
 * same. Who issued it and what it says do not change and are remembered; validity is asked each time,
 * and revocation elsewhere: others have to be asked for it.
 */
export function readTrustedCertificate(
  der: Uint8Array,
  anchors: TrustAnchors,
  { type, now }: { readonly type: QualifiedType; readonly now: Date },
): Certificate {
  const { certificate, issuers } = recall(
    cacheFor(anchors),
    thumbprintOf(der),
    certificateLimits.cachedCertificatesMax,
    () => establish(der, anchors, type),
  );
  const believed = issuers.some(
    (issuer) => isValidAt(issuer, now) && issuer.issues?.includes(type) !== false,
  );
  if (!believed) throw notTrusted();
  checkValidity(certificate, now);
  return certificate;
}

/** The anchor that stands behind a certificate which has been found trusted. */
export function issuerOf({ x509, thumbprint }: Certificate, anchors: TrustAnchors): Certificate {
  const known = trusted.get(anchors)?.get(thumbprint)?.issuers ?? issuersOf(x509, anchors);
  const [issuer] = known;
  if (issuer === undefined) throw notTrusted();
  return issuer;
}

function notTrusted(): CertificateFault {
  return new CertificateFault("certificate is not issued by a trusted issuer");
}

function cacheFor(anchors: TrustAnchors): Map<string, Trusted> {
  const cache = trusted.get(anchors) ?? new Map<string, Trusted>();
  trusted.set(anchors, cache);
  return cache;
}

function establish(der: Uint8Array, anchors: TrustAnchors, type: QualifiedType): Trusted {
  const issuers = issuersOf(openOrRefuse(der, type), anchors);
  if (issuers.length === 0) throw notTrusted();
  const certificate = readCertificate(der);
  checkStrength(certificate);
  return { certificate, issuers };
}

function openOrRefuse(der: Uint8Array, type: QualifiedType) {
  try {
    return openCertificate(der);
  } catch {
    // A seal comes from somebody whose QWAC has been believed, and who is told what it is not.
    throw type === "eseal" ? noCertificate() : notTrusted();
  }
}

function noCertificate(): CertificateFault {
  return new CertificateFault("signature certificate is base64 of what is no X.509 certificate");
}
