import { reject } from "@/lib/domain/errors";
import { isTppId, type Psd2Role, type Tpp } from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { decodeBase64 } from "./asn1";
import { attributeTypes, type Certificate } from "./certificate";
import { CertificateFault, rejectFaults, truncated } from "./certificate-fault";
import {
  checkQualifiedType,
  type Presented,
  readTrustedCertificate,
  type TrustAnchors,
} from "./trust";

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
        `certificate belongs to another TPP, ${truncated(id)}, than the client certificate, ${truncated(qwac.tpp.id)}`,
      );
    }
    return certificate;
  });
}

const CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";
const ANY_PURPOSE = "2.5.29.37.0";

/** A key that signs certificates must not also speak for a TPP. */
function checkIsNoAuthority(certificate: Certificate): void {
  if (certificate.isAuthority) throw new CertificateFault("certificate is a CA certificate");
}

function checkMayAuthenticateClient({ keyUsage, extendedKeyUsage }: Certificate): void {
  if (!keyUsage.includes("digitalSignature")) {
    throw lacking("key usage digitalSignature", keyUsage);
  }
  const purposes = extendedKeyUsage ?? [ANY_PURPOSE];
  if (!purposes.includes(CLIENT_AUTHENTICATION) && !purposes.includes(ANY_PURPOSE)) {
    throw lacking(`extended key usage clientAuth, ${CLIENT_AUTHENTICATION}`, purposes);
  }
}

function checkMaySeal({ keyUsage }: Certificate): void {
  if (!keyUsage.includes("digitalSignature") && !keyUsage.includes("nonRepudiation")) {
    throw lacking("key usage digitalSignature or nonRepudiation", keyUsage);
  }
}

function lacking(what: string, found: readonly string[]): CertificateFault {
  const own = found.length === 0 ? "none" : truncated(found.join(", "), 200);
  return new CertificateFault(`certificate lacks ${what}; it has ${own}`);
}

/** The TPP that the certificate identifies. Throws a CertificateFault when it is missing or ambiguous. */
export function tppIdentity(certificate: Certificate): Tpp {
  const { organizationName, qcStatements } = certificate;
  if (qcStatements?.psd2 === undefined)
    throw new CertificateFault("certificate has no PSD2 statement");
  if (organizationName === undefined)
    throw new CertificateFault("certificate has no organizationName");
  return { id: readTppId(certificate), name: organizationName, ...qcStatements.psd2 };
}

function readTppId({ subject, organizationIdentifier }: Certificate): TppId {
  if (organizationIdentifier === undefined) {
    throw new CertificateFault("certificate has no organizationIdentifier");
  }
  const ownName = subject.find((name) =>
    name.some(({ type }) => type === attributeTypes.organizationIdentifier),
  );
  if (ownName?.length !== 1) {
    throw new CertificateFault("organizationIdentifier is part of a multi-valued name");
  }
  if (!isTppId(organizationIdentifier)) {
    throw new CertificateFault(
      `organizationIdentifier ${truncated(organizationIdentifier)} is not of the form PSDRO-NBR-1234567`,
    );
  }
  return organizationIdentifier;
}

/** PSD2 art. 66, 67 and 65: a service is open to the role that the competent authority gave. Rejects with 401 ROLE_INVALID. */
export function checkRole(tpp: Tpp, role: Psd2Role): void {
  if (tpp.roles.includes(role)) return;
  throw reject("ROLE_INVALID", `the certificate lacks ${role}; it has ${tpp.roles.join(", ")}`);
}

const PEM = /^-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----\s*$/;

/**
 * The DER in a TPP-Signature-Certificate header. The standard wants base64 of the DER; TPPs also
 * send the PEM on one line and base64 of a whole PEM, line breaks left out or turned into blanks.
 */
export function readSignatureCertificate(headerValue: string): Uint8Array {
  const bytes = fromPem(headerValue) ?? decodeBase64(headerValue.replaceAll(" ", ""));
  const text = bytes && textIn(bytes);
  const der = text === undefined ? bytes : fromPem(text);
  if (der === undefined || der.byteLength === 0) {
    const because = seemsToBe(text ?? headerValue);
    throw new CertificateFault(`signature certificate is not base64 of a certificate${because}`);
  }
  return der;
}

/** What was encoded where it is text of several lines, or one that begins as a PEM does. */
function textIn(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString("latin1");
  return text.includes("-----BEGIN ") ? text : undefined;
}

function fromPem(text: string): Uint8Array | undefined {
  const base64 = PEM.exec(text)?.[1];
  return base64 === undefined ? undefined : decodeBase64(base64.replace(/\s/g, ""));
}

function seemsToBe(text: string): string {
  if (text.trim() === "") return ": it is empty";
  if (text.includes("PRIVATE KEY-")) return ": it is a private key; replace that key";
  if (text.split("-BEGIN CERTIFICATE-").length > 2) return ": it is more than one";
  if (/%[0-9a-f]{2}/i.test(text)) return ": it is percent-encoded";
  if (text.includes("\\n")) return ": it has \\n in place of line breaks; leave them out";
  if (/^-----BEGIN (?!CERTIFICATE-)/.test(text)) return ": it is a PEM of something else";
  if (/\S\s*-----BEGIN/.test(text)) return ": it has a text before its PEM";
  if (/-----(?:BEGIN|END)/.test(text)) return ": it is a PEM that is not whole";
  if (/^:.*:$/.test(text)) return ": it is in colons, which RFC 9440 has and this header has not";
  if (/^".*"$/.test(text)) return ": it is in quotation marks";
  if (/^[\w+/-]+=*$/.test(text)) return ": it is base64url or lacks its padding";
  return "";
}
