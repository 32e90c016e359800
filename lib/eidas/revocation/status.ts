import type { Certificate } from "../certificate";

/** A certificate and the issuer that says whether it still stands by it. */
export type Issued = { readonly certificate: Certificate; readonly issuer: Certificate };

/** What an issuer says, and until when it is left at that. */
export type Statement = {
  readonly status: "good" | "revoked" | "unknown";
  readonly until: Date;
};

/** Why an issuer's word could not be taken; for the log, since it is no fault of the TPP. */
export class StatusFault extends Error {
  override readonly name = "StatusFault";
}

/** One place that did not tell; without an address, because the certificate names none. */
export type LookUpFault = {
  /** Hexadecimal, as certificates are named in logs and by their issuers. */
  readonly serialNumber: string;
  readonly url?: string;
  readonly reason: string;
};

/**
 * Fetches from an address that stands in a certificate: bounded in time and size, without redirects,
 * and not from addresses inside the house. Throws whatever was in the way.
 */
export type FetchStatus = (asked: {
  readonly url: string;
  /** Sent by POST; without it the address is read by GET. */
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
  readonly bytesMax: number;
}) => Promise<Uint8Array>;
