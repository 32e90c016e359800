import { constants, type KeyObject, verify } from "node:crypto";
import { Boolean as Asn1Boolean, type BaseBlock, BitString } from "asn1js";
import { addTime } from "@/lib/domain/values";
import { type Asn1, elements, explicit, objectId, unreadable } from "./asn1";
import type { Certificate } from "./certificate";
import { certificateLimits } from "./certificate-fault";
import { hasStrongKey, strongSignature } from "./trust";

export type Issued = { readonly certificate: Certificate; readonly issuer: Certificate };

export type StatusStatement = {
  readonly status: "good" | "revoked" | "unknown";
  readonly until: Date;
};

/** Why an issuer's answer is not trusted; for the log, since it is no fault of the TPP. */
export class StatusFault extends Error {
  override readonly name = "StatusFault";
}

/** One address that gave no status; without a URL when the certificate names none. */
export type LookUpFault = {
  /** Hexadecimal, as certificates are named in logs and by their issuers. */
  readonly serialNumber: string;
  readonly url?: string;
  readonly reason: string;
};

/**
 * Fetches from an address in a certificate: bounded in time and size, without redirects, and not from
 * private networks. Throws the error of the request.
 */
export type FetchStatus = (asked: {
  readonly url: string;
  /** Sent by POST; without it the address is read by GET. */
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
  readonly bytesMax: number;
}) => Promise<Uint8Array>;

const PSS = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_AUTO,
};

type Signed = {
  readonly content: Uint8Array;
  readonly algorithm: Asn1;
  readonly signature: Asn1;
};

/** Throws a StatusFault unless one of these keys has signed the content. */
export function checkSigned(
  { content, algorithm, signature }: Signed,
  keys: readonly KeyObject[],
): void {
  const [id, parameters] = elements(algorithm);
  const known = strongSignature(objectId(id), parameters);
  if (known === undefined) throw new StatusFault("signed by an algorithm that is not trusted");
  const bytes = wholeOctets(signature);
  const fits = (key: KeyObject) => key.asymmetricKeyType === known.key && hasStrongKey(key);
  const padded = known.pss === true ? PSS : {};
  if (!keys.some((key) => fits(key) && verify(known.hash, content, { key, ...padded }, bytes))) {
    throw new StatusFault("not signed by whom it has to be");
  }
}

/** No algorithm here leaves bits of the last octet unused. */
function wholeOctets(value: BaseBlock | undefined): Uint8Array {
  if (!(value instanceof BitString) || value.valueBlock.unusedBits !== 0) throw unreadable();
  return value.valueBlock.valueHexView;
}

/**
 * deltaCRLIndicator and issuingDistributionPoint, which RFC 5280 5.2.4 and 5.2.5 want to be critical:
 * where an issuer forgot that, a number missing from such a list still means nothing.
 */
const alwaysCritical = new Set(["2.5.29.27", "2.5.29.28"]);

/**
 * What an issuer marks critical and is not understood here changes what the statement says (RFC 5280
 * 5.2): a partial list, or one of another issuer, is marked so. None is understood.
 */
export function checkNoneCritical(tagged: BaseBlock | undefined, number: 0 | 1): void {
  if (tagged === undefined) return;
  for (const extension of elements(explicit(tagged, number))) {
    const [name, critical] = elements(extension);
    const id = objectId(name);
    const marked = critical instanceof Asn1Boolean && critical.getValue();
    if (marked || alwaysCritical.has(id)) throw new StatusFault(`has the critical extension ${id}`);
  }
}

/**
 * Until when a statement is cached: its nextUpdate, but ten minutes at most, so that a revocation is soon
 * noticed, and half a minute at least, so that one without nextUpdate is not requested at each call.
 * Throws a StatusFault when it is of the future or has expired: it may be a replay. One without
 * nextUpdate is superseded as soon as it is made (RFC 6960 4.2.2.1), so it has to be new.
 */
export function trustedUntil(thisUpdate: Date, nextUpdate: Date | undefined, now: Date): Date {
  const { statusClockSkewSeconds: skew, goodSecondsMin, goodMinutesMax } = certificateLimits;
  const end = nextUpdate ?? thisUpdate;
  if (thisUpdate > addTime(now, skew, "second")) throw new StatusFault("made in the future");
  if (end <= addTime(now, -skew, "second")) throw new StatusFault("out of date");
  const earliest = addTime(now, goodSecondsMin, "second").getTime();
  const latest = addTime(now, goodMinutesMax, "minute").getTime();
  return new Date(Math.min(Math.max(end.getTime(), earliest), latest));
}

/**
 * Runs the parsing of an answer. Any error of the ASN.1 library means that the bytes are unreadable; a
 * StatusFault is thrown as it is.
 */
export function readable<Result>(what: "OCSP response" | "CRL", read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof StatusFault ? error : unreadable(what);
  }
}
