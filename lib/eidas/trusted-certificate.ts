import { recall } from "./bounded-cache";
import { type Certificate, openCertificate, readCertificate, thumbprintOf } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";
import type { QualifiedType } from "./qualified-type";
import { checkStrength } from "./strength";
import { issuersOf, type TrustAnchor, type TrustAnchors } from "./trust";
import { checkValidity, isValidAt } from "./validity";

type Trusted = { readonly certificate: Certificate; readonly issuers: readonly TrustAnchor[] };

/**
 * A certificate as it was presented: the text of a header, and how the DER in it is read; or the DER
 * itself.
 */
export type Presented =
  | Uint8Array
  | { readonly text: string; readonly read: (text: string) => Uint8Array };

/** Certificates already read: by their DER, and by the texts that they were presented in. */
type Known = {
  readonly byThumbprint: Map<string, Trusted>;
  readonly byText: Readonly<Record<QualifiedType, Map<string, Trusted>>>;
};

/** For each list of anchors. */
const trusted = new WeakMap<TrustAnchors, Known>();

/**
 * Reads a certificate of this type that an anchor issued, as it is granted to, and that is valid now.
 * Nothing beyond the signature is read of a stranger's certificate, and strangers are all told the
 * same. Who issued it and what it says do not change and are remembered; validity is asked each time,
 * and revocation elsewhere: others have to be asked for it.
 */
export function readTrustedCertificate(
  presented: Presented,
  anchors: TrustAnchors,
  { type, now }: { readonly type: QualifiedType; readonly now: Date },
): Certificate {
  const { certificate, issuers } = established(presented, anchors, type);
  const believed = issuers.some(
    (issuer) => isValidAt(issuer, now) && issuer.issues?.includes(type) !== false,
  );
  if (!believed) throw notTrusted();
  checkValidity(certificate, now);
  return certificate;
}

/**
 * The same certificate before it is known what time it is, and whether it counts: for whoever has to look
 * something up first. Undefined for a stranger's, and for what is none.
 */
export function issuedCertificate(
  presented: Presented,
  anchors: TrustAnchors,
  type: QualifiedType,
): Certificate | undefined {
  try {
    return established(presented, anchors, type).certificate;
  } catch (error) {
    if (error instanceof CertificateFault) return undefined;
    throw error;
  }
}

/** The anchor that stands behind a certificate which has been found trusted. */
export function issuerOf({ x509, thumbprint }: Certificate, anchors: TrustAnchors): Certificate {
  const known =
    trusted.get(anchors)?.byThumbprint.get(thumbprint)?.issuers ?? issuersOf(x509, anchors);
  const [issuer] = known;
  if (issuer === undefined) throw notTrusted();
  return issuer;
}

function notTrusted(): CertificateFault {
  return new CertificateFault("certificate is not issued by a trusted issuer");
}

function knownTo(anchors: TrustAnchors): Known {
  const known = trusted.get(anchors);
  if (known !== undefined) return known;
  const byText = { web: new Map<string, Trusted>(), eseal: new Map<string, Trusted>() };
  const made = { byThumbprint: new Map<string, Trusted>(), byText };
  trusted.set(anchors, made);
  return made;
}

/** A TPP sends the same text with each request: to decode and to hash it costs more than to know it again. */
function established(presented: Presented, anchors: TrustAnchors, type: QualifiedType): Trusted {
  const { cachedCertificatesMax: max } = certificateLimits;
  const { byThumbprint, byText } = knownTo(anchors);
  const ofDer = (der: Uint8Array) =>
    recall(byThumbprint, thumbprintOf(der), max, () => establish(der, anchors, type));
  if (presented instanceof Uint8Array) return ofDer(presented);
  const { text, read } = presented;
  return recall(byText[type], text, max, () => ofDer(read(text)));
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
