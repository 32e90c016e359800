import type { SeenCertificate, SeenTpps } from "@/lib/domain/tpp";
import type { Certificate } from "@/lib/eidas/certificate";
import type { Qwac } from "@/lib/eidas/qwac-qsealc";

/** Certificates that are remembered; the oldest is forgotten first, which at worst is a statement more. */
const REMEMBERED_MAX = 20_000;

export type CertificateLog = {
  readonly note: (qwac: Qwac, seal: Certificate, now: Date) => void;
};

/**
 * Keeps the certificates by which TPPs call and sign, each once from each process. No request waits for it; what could not
 * be kept is kept with the next one, and `onFault` is called.
 */
export function certificateLog(
  { keepCertificates }: Pick<SeenTpps, "keepCertificates">,
  onFault: (error: unknown) => void,
): CertificateLog {
  const known = new Set<string>();
  return {
    note: (qwac, seal, now) => {
      if (known.has(qwac.thumbprint) && known.has(seal.thumbprint)) return;
      const { roles } = qwac.tpp;
      const seen = [{ ...ofKind("QWAC", qwac.certificate), roles }, ofKind("QSEAL", seal)] as const;
      for (const { thumbprint } of seen) known.add(thumbprint);
      for (const thumbprint of known) {
        if (known.size <= REMEMBERED_MAX) break;
        known.delete(thumbprint);
      }
      keepCertificates(qwac.tpp.id, [...seen], now).catch((error: unknown) => {
        for (const { thumbprint } of seen) known.delete(thumbprint);
        onFault(error);
      });
    },
  };
}

function ofKind(kind: SeenCertificate["kind"], certificate: Certificate): SeenCertificate {
  const { thumbprint, notAfter } = certificate;
  return { kind, thumbprint, ...certificateName(certificate), notAfter };
}

/** Issuer and serial number, by which revocations name a certificate, as they are kept. */
export function certificateName({ serialNumber, x509 }: Certificate) {
  return { serialNumber: serialNumber.toString(16), issuer: x509.issuer.replaceAll("\n", ", ") };
}
