import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";

const CLIENT_AUTHENTICATION = "1.3.6.1.5.5.7.3.2";
const ANY_PURPOSE = "2.5.29.37.0";

/** A key that signs certificates must not also speak for a TPP. */
export function checkIsNoAuthority(certificate: Certificate): void {
  if (certificate.isAuthority) throw new CertificateFault("certificate is a CA certificate");
}

export function checkMayAuthenticateClient({ keyUsage, extendedKeyUsage }: Certificate): void {
  if (!keyUsage.includes("digitalSignature")) {
    throw new CertificateFault("certificate lacks key usage digitalSignature");
  }
  const purposes = extendedKeyUsage ?? [ANY_PURPOSE];
  if (!purposes.includes(CLIENT_AUTHENTICATION) && !purposes.includes(ANY_PURPOSE)) {
    throw new CertificateFault("certificate lacks extended key usage clientAuth");
  }
}

export function checkMaySeal({ keyUsage }: Certificate): void {
  if (!keyUsage.includes("digitalSignature") && !keyUsage.includes("nonRepudiation")) {
    throw new CertificateFault("certificate lacks key usage digitalSignature or nonRepudiation");
  }
}
