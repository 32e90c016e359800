import type { X509Certificate } from "node:crypto";
import { type Certificate, readCertificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import type { QualifiedType } from "./qualified-type";
import { hasStrongKey } from "./strength";

/** An issuer that is believed: for every kind of certificate, or for those it is granted. */
export type TrustAnchor = Certificate & { readonly issues?: readonly QualifiedType[] };

/** The issuers that are believed. */
export type TrustAnchors = readonly TrustAnchor[];

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/**
 * The issuers of QWACs and QSealCs that are believed, from a PEM file; text around the
 * certificates is passed over. Throws an Error whose message says which certificate is unfit and
 * why: a list that is believed half would refuse TPPs without a trace.
 */
export function parseTrustAnchors(pem: string): TrustAnchors {
  const blocks = [...pem.matchAll(PEM_CERTIFICATE)];
  const begun = pem.split("-----BEGIN ").length - 1;
  if (blocks.length < begun) throw new Error("trust anchors: a PEM block is no whole certificate");
  if (blocks.length === 0) throw new Error("trust anchors: there is no PEM certificate");
  return blocks.map(([, base64 = ""], index) => {
    try {
      return readTrustAnchor(Buffer.from(base64, "base64"));
    } catch (error) {
      if (!(error instanceof CertificateFault)) throw error;
      throw new Error(`trust anchors: certificate ${index + 1}: ${error.message}`);
    }
  });
}

/** Throws a CertificateFault unless it is a CA's certificate with a strong key. */
export function readTrustAnchor(der: Uint8Array): Certificate {
  const anchor = readCertificate(der);
  if (!anchor.isAuthority) throw new CertificateFault("certificate is not a CA certificate");
  if (!hasStrongKey(anchor.publicKey)) throw new CertificateFault("certificate has a weak key");
  return anchor;
}

/**
 * The anchors that issued this certificate themselves: a qualified certificate comes from a listed
 * issuer, so no chain is built. There can be two, when an issuer renewed its own certificate and
 * kept the key. `checkIssued` compares names and key identifiers and demands an issuer that may
 * sign certificates; the signature proves it.
 */
export function issuersOf(x509: X509Certificate, anchors: TrustAnchors): readonly TrustAnchor[] {
  return anchors.filter(
    (anchor) => anchor.isAuthority && x509.checkIssued(anchor.x509) && isSignedBy(x509, anchor),
  );
}

function isSignedBy(x509: X509Certificate, anchor: Certificate): boolean {
  try {
    return x509.verify(anchor.publicKey);
  } catch {
    return false;
  }
}
