import { type Certificate, openCertificate, readCertificate } from "@/lib/eidas/certificate";
import { CertificateFault } from "@/lib/eidas/certificate-fault";
import type { Fact } from "./step";

const typeNames: Readonly<Record<string, string>> = {
  "0.4.0.1862.1.6.1": "esign",
  "0.4.0.1862.1.6.2": "eseal",
  "0.4.0.1862.1.6.3": "web",
};

/** What a certificate says of itself, whoever issued it. Of an unreadable one as much as can be read. */
export function certificateFacts(der: Uint8Array): readonly Fact[] {
  const certificate = readOrUndefined(der);
  return certificate === undefined ? outlineOf(der) : factsOf(certificate);
}

/** The certificate as it says of itself; undefined when it cannot be read. */
export function readOrUndefined(der: Uint8Array): Certificate | undefined {
  return orUndefined(() => readCertificate(der));
}

function factsOf(certificate: Certificate): readonly Fact[] {
  const { x509, serialNumber, notBefore, notAfter, qcStatements } = certificate;
  const psd2 = qcStatements?.psd2;
  const types = qcStatements?.types.map((id) => typeNames[id] ?? id) ?? [];
  const authority = psd2 && `${psd2.authorityName} (${psd2.authorityId})`;
  return [
    { label: "Subject", value: onOneLine(x509.subject) },
    { label: "Issuer", value: onOneLine(x509.issuer) },
    { label: "Serial number", value: serialNumber.toString(16).toUpperCase() },
    { label: "Valid from", value: notBefore.toISOString() },
    { label: "Valid until", value: notAfter.toISOString() },
    { label: "QcType", value: listed(types) },
    { label: "PSD2 roles", value: listed(psd2?.roles ?? []) },
    { label: "Competent authority", value: authority ?? "none" },
    { label: "Status by OCSP at", value: listed(certificate.ocspUrls) },
    { label: "Status by CRL at", value: listed(certificate.crlUrls) },
  ];
}

function outlineOf(der: Uint8Array): readonly Fact[] {
  const x509 = orUndefined(() => openCertificate(der));
  if (x509 === undefined) return [{ label: "Bytes", value: String(der.byteLength) }];
  return [
    { label: "Subject", value: onOneLine(x509.subject) },
    { label: "Issuer", value: onOneLine(x509.issuer) },
    { label: "Serial number", value: x509.serialNumber },
    { label: "Valid from", value: x509.validFrom },
    { label: "Valid until", value: x509.validTo },
  ];
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CertificateFault) return undefined;
    throw error;
  }
}

/** Node prints each part of a name on a line of its own. */
function onOneLine(name: string | undefined): string {
  return name === undefined || name === "" ? "none" : name.split("\n").join(", ");
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? "none" : values.join(", ");
}
