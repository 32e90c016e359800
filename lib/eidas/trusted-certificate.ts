import { recall } from "./bounded-cache";
import { type Certificate, openCertificate, readCertificate, thumbprintOf } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";
import { checkStrength } from "./strength";
import { issuersOf, type TrustAnchors } from "./trust";
import { checkValidity, isValidAt } from "./validity";

type Trusted = { readonly certificate: Certificate; readonly issuers: readonly Certificate[] };

/** Certificates already read, for each list of anchors. */
const trusted = new WeakMap<TrustAnchors, Map<string, Trusted>>();

/**
 * Reads a certificate that an anchor issued and that is valid now. Nothing beyond the signature is
 * read of a stranger's certificate, and strangers are all told the same. Who issued it and what it
 * says do not change and are remembered; validity is asked each time, and so will revocation be.
 */
export function readTrustedCertificate(
  der: Uint8Array,
  anchors: TrustAnchors,
  now: Date,
): Certificate {
  const { certificate, issuers } = recall(
    cacheFor(anchors),
    thumbprintOf(der),
    certificateLimits.cachedCertificatesMax,
    () => establish(der, anchors),
  );
  if (!issuers.some((issuer) => isValidAt(issuer, now))) throw notTrusted();
  checkValidity(certificate, now);
  return certificate;
}

function notTrusted(): CertificateFault {
  return new CertificateFault("certificate is not issued by a trusted issuer");
}

function cacheFor(anchors: TrustAnchors): Map<string, Trusted> {
  const cache = trusted.get(anchors) ?? new Map<string, Trusted>();
  trusted.set(anchors, cache);
  return cache;
}

function establish(der: Uint8Array, anchors: TrustAnchors): Trusted {
  const issuers = issuersOf(openOrRefuse(der), anchors);
  if (issuers.length === 0) throw notTrusted();
  const certificate = readCertificate(der);
  checkStrength(certificate);
  return { certificate, issuers };
}

function openOrRefuse(der: Uint8Array) {
  try {
    return openCertificate(der);
  } catch {
    throw notTrusted();
  }
}
