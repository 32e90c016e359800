import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";

/** RFC 5280 4.1.2.5: both ends belong to the period. */
export function isValidAt({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return notBefore <= now && now <= notAfter;
}

export function checkValidity(certificate: Certificate, now: Date): void {
  if (isValidAt(certificate, now)) return;
  const { notBefore, notAfter } = certificate;
  const fault =
    now < notBefore
      ? `is not valid before ${toSecond(notBefore)}`
      : `was valid until ${toSecond(notAfter)}`;
  const text = `certificate ${fault}, the bank's clock says ${toSecond(now)}`;
  throw new CertificateFault(text, "CERTIFICATE_EXPIRED");
}

function toSecond(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, "Z");
}
