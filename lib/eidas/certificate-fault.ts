import { reject } from "@/lib/domain/rejection";

/**
 * What is wrong with a certificate, in a sentence that may leave the house. It is no Rejection yet:
 * certificates are also read where nobody waits for an answer, and only the check that was asked
 * knows which header the fault belongs to.
 */
export class CertificateFault extends Error {
  override readonly name = "CertificateFault";
  readonly code: "CERTIFICATE_INVALID" | "CERTIFICATE_EXPIRED";

  constructor(text: string, code: CertificateFault["code"] = "CERTIFICATE_INVALID") {
    super(text);
    this.code = code;
  }
}

/** Runs the check; its CertificateFault becomes a Rejection that points at `path`. */
export function rejectFaults<Result>(
  where: { readonly path?: string },
  check: () => Result,
): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof CertificateFault) throw reject(error.code, error.message, where);
    throw error;
  }
}
