import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { shown } from "./shown";

const CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";
const ANY_PURPOSE = "2.5.29.37.0";

/** A key that signs certificates must not also speak for a TPP. */
export function checkIsNoAuthority(certificate: Certificate): void {
  if (certificate.isAuthority) throw new CertificateFault("certificate is a CA certificate");
}

export function checkMayAuthenticateClient({ keyUsage, extendedKeyUsage }: Certificate): void {
  if (!keyUsage.includes("digitalSignature")) {
    throw lacking("key usage digitalSignature", keyUsage);
  }
  const purposes = extendedKeyUsage ?? [ANY_PURPOSE];
  if (!purposes.includes(CLIENT_AUTHENTICATION) && !purposes.includes(ANY_PURPOSE)) {
    throw lacking(`extended key usage clientAuth, ${CLIENT_AUTHENTICATION}`, purposes);
  }
}

export function checkMaySeal({ keyUsage }: Certificate): void {
  if (!keyUsage.includes("digitalSignature") && !keyUsage.includes("nonRepudiation")) {
    throw lacking("key usage digitalSignature or nonRepudiation", keyUsage);
  }
}

function lacking(what: string, found: readonly string[]): CertificateFault {
  const own = found.length === 0 ? "none" : shown(found.join(", "), 200);
  return new CertificateFault(`certificate lacks ${what}; it has ${own}`);
}
