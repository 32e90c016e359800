import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";

/** RFC 5280 4.1.2.5: both ends belong to the period. */
export function isValidAt({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return notBefore <= now && now <= notAfter;
}

export function checkValidity(certificate: Certificate, now: Date): void {
  if (isValidAt(certificate, now)) return;
  const period = `from ${certificate.notBefore.toISOString()} to ${certificate.notAfter.toISOString()}`;
  throw new CertificateFault(`certificate is valid ${period}`, "CERTIFICATE_EXPIRED");
}
