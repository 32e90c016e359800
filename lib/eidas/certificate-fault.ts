import { reject } from "@/lib/domain/errors";

/**
 * What is wrong with a certificate, in a sentence that may be sent to a TPP. It is no Rejection yet: certificates are
 * also read outside requests, and only the caller of the check knows which header the fault belongs to.
 */
export class CertificateFault extends Error {
  override readonly name = "CertificateFault";

  constructor(
    text: string,
    readonly code: "CERTIFICATE_INVALID" | "CERTIFICATE_EXPIRED" = "CERTIFICATE_INVALID",
  ) {
    super(text);
  }
}

/** What is read of a certificate; undefined where the certificate is at fault. */
export function unlessFaulty<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CertificateFault) return undefined;
    throw error;
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

/**
 * A caller's value, quoted in an error text: cut to `charactersMax`, and
 * what is no visible character (controls, line breaks, marks that turn the writing round) as `?`.
 */
export function truncated(value: string, charactersMax = 60): string {
  const plain = value.slice(0, charactersMax).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return value.length > charactersMax ? `${plain}…` : plain;
}

/** What reading a certificate may cost. A qualified certificate is about 2 KiB; no header holds more than 16. */
export const certificateLimits = {
  derBytesMax: 16_384,
  asn1DepthMax: 16,
  asn1NodesMax: 2_000,
  nameCharactersMax: 256,
  serialNumberBytesMax: 20,
  rsaBitsMin: 2_048,
  rsaBitsMax: 8_192,
  cachedCertificatesMax: 1_000,

  /** Of each kind; issuers name one or two. */
  statusAddressesMax: 4,
  statusAddressCharactersMax: 500,
  ocspBytesMax: 16_384,
  responderCertificatesMax: 8,
  /** Lists are long: 20,000 entries are about half of this. */
  crlBytesMax: 2_097_152,
  /** Of so many issuers and addresses; a long list takes some megabytes. */
  cachedListsMax: 20,
  statusClockSkewSeconds: 300,
  /** An issuer's "good" is requested again after this time, however late its nextUpdate. */
  goodMinutesMax: 10,
  /** And not before this time, however early its nextUpdate. */
  goodSecondsMin: 30,
  unknownSeconds: 30,
  unknownToldMinutes: 60,
} as const;
