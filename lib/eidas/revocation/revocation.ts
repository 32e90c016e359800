import { after } from "@/lib/domain/clock";
import { certificateLimits } from "../limits";
import { keptAnswers } from "./kept-answers";
import { statusLookUp } from "./look-up-status";
import type { FetchStatus, Issued, LookUpFault, Statement } from "./status";

/** Whether an unknown status ends the request: always, for payments only, or nobody is asked at all. */
export type RevocationMode = "hard" | "soft" | "off";

/** Revoked by its issuer; or nobody could tell, and the mode or its use does not allow that. */
export type Verdict = "counts" | "revoked" | "untold";

export type Revocation = {
  /**
   * A word and no error: the house is built in one bundle and asked from others, and each of them has
   * error classes of its own.
   */
  readonly check: (
    issued: Issued,
    asked: { readonly hard: boolean; readonly now: Date },
  ) => Promise<Verdict>;
};

type Means = {
  readonly mode: RevocationMode;
  readonly fetch: FetchStatus;
  /** Told of each place that gave no usable answer. */
  readonly onFault: (fault: LookUpFault) => void;
};

/**
 * OCSP, then CRL, as the certificate names them. "Good" is kept until it ends, for ten minutes at
 * most; that nobody could tell, for half a minute.
 */
export function revocation({ mode, fetch, onFault }: Means): Revocation {
  const lookUp = statusLookUp({ fetch, onFault });
  const keep = keptAnswers<Statement>(certificateLimits.cachedCertificatesMax);
  // Nobody comes back from there, so none is forgotten to make room for others. Only what a believed
  // issuer has revoked gets in, so strangers cannot fill it.
  const revoked = new Set<string>();

  async function statusOf(issued: Issued, now: Date): Promise<Statement["status"]> {
    const key = named(issued);
    if (revoked.has(key)) return "revoked";
    const { status } = await keep(key, now, async () => {
      const found = await lookUp(issued, now);
      const { unknownSeconds } = certificateLimits;
      return found ?? { status: "unknown", until: after(now, unknownSeconds, "second") };
    });
    if (status === "revoked") revoked.add(key);
    return status;
  }

  return {
    check: async (issued, { hard, now }) => {
      if (mode === "off") return "counts";
      const status = await statusOf(issued, now);
      if (status === "revoked") return "revoked";
      return status === "unknown" && (mode === "hard" || hard) ? "untold" : "counts";
    },
  };
}

/**
 * By what an issuer revokes. Its bytes do not name a certificate: of an ECDSA signature anybody can make
 * a second one (n - s in place of s), and the copy would be a certificate that nobody has asked about.
 */
function named({ certificate, issuer }: Issued): string {
  return `${issuer.thumbprint} ${certificate.serialNumber}`;
}
