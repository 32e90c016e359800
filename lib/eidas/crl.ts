import { instant, readDer, unreadable } from "./asn1";
import { type Certificate, subjectOf } from "./certificate";
import {
  checkNoneCritical,
  checkSigned,
  readable,
  StatusFault,
  trustedUntil,
} from "./status-answer";

export type RevocationList = {
  readonly serialNumbers: ReadonlySet<bigint>;
  readonly until: Date;
};

/**
 * RFC 5280 5.1: the issuer's whole list, signed by itself. One that speaks for part of its certificates, or for
 * another issuer's, says so in a critical extension and is not used. An entry with any reason revokes its
 * certificate. Throws a StatusFault or a CertificateFault for any other bytes.
 */
export function readCrl(der: Uint8Array, issuer: Certificate, now: Date): RevocationList {
  return readable("CRL", () => readList(der, issuer, now));
}

function readList(der: Uint8Array, issuer: Certificate, now: Date): RevocationList {
  const [list, ...others] = derValues(der);
  const [content, algorithm, signature, ...more] = derValues(contentOf(list, tags.sequence));
  if (content === undefined || algorithm === undefined || signature === undefined) {
    throw unreadable();
  }
  if (others.length + more.length > 0) throw unreadable();
  checkMaySignLists(issuer);
  const signed = { content: content.whole, algorithm: tree(algorithm), signature: tree(signature) };
  checkSigned(signed, [issuer.publicKey]);
  return contentsOf(content, issuer, now);
}

function checkMaySignLists({ keyUsage }: Certificate): void {
  if (keyUsage.length === 0 || keyUsage.includes("cRLSign")) return;
  throw new StatusFault("the issuer may not sign lists");
}

/** An optional version, the algorithm, the issuer, two times, the entries and the extensions. */
function contentsOf(content: DerValue, issuer: Certificate, now: Date): RevocationList {
  const parts = derValues(contentOf(content, tags.sequence));
  const [, name, thisUpdate, nextUpdate, ...rest] =
    parts[0]?.tag === tags.integer ? parts.slice(1) : parts;
  const entries = rest[0]?.tag === tags.sequence ? rest[0] : undefined;
  const [extensions, ...more] = entries === undefined ? rest : rest.slice(1);
  if (more.length > 0) throw unreadable();
  // One key can stand behind several names, and each has its own list.
  if (
    name === undefined ||
    !Buffer.from(subjectOf(issuer.x509).valueBeforeDecodeView).equals(name.whole)
  ) {
    throw new StatusFault("the list is another issuer's");
  }
  checkNoneCritical(extensions && tree(extensions), 0);
  // RFC 5280 5.1.2.5 demands an end; without one, any old list could be replayed.
  const until = trustedUntil(instant(tree(thisUpdate)), instant(tree(nextUpdate)), now);
  return { serialNumbers: new Set(serialNumbersOf(entries)), until };
}

function serialNumbersOf(entries: DerValue | undefined): readonly bigint[] {
  if (entries === undefined) return [];
  return derValues(entries.content).map((entry) => {
    const [serialNumber, , extensions] = derValues(contentOf(entry, tags.sequence));
    if (extensions !== undefined) checkEntry(extensions);
    return derInteger(serialNumber);
  });
}

/** RFC 5280 5.3: an entry with a critical extension could be about another issuer's certificate. */
function checkEntry(extensions: DerValue): void {
  for (const extension of derValues(contentOf(extensions, tags.sequence))) {
    const [, critical] = derValues(contentOf(extension, tags.sequence));
    if (critical?.tag !== tags.boolean) continue;
    throw new StatusFault("an entry of the list has a critical extension");
  }
}

function tree(value: DerValue | undefined) {
  if (value === undefined) throw unreadable();
  return readDer(value.whole);
}

/**
 * One value of DER where it lies. A list has 20,000 entries: parsing them into a tree of objects would block
 * every other call for seconds; reading them in place takes milliseconds.
 */
type DerValue = {
  readonly tag: number;
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
};

const tags = { boolean: 0x01, integer: 0x02, sequence: 0x30, tagged0: 0xa0 } as const;

/** The values that lie one after the other and fill these bytes. Throws a CertificateFault. */
export function derValues(bytes: Uint8Array): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = derValueAt(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

function derValueAt(bytes: Uint8Array, at: number): DerValue {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  // Tags of several octets do not occur where this is used.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw unreadable();
  const start = at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  const end = start + (first < 0x80 ? first : longLength(bytes.subarray(at + 2, start)));
  if (end > bytes.length) throw unreadable();
  return { tag, whole: bytes.subarray(at, end), content: bytes.subarray(start, end) };
}

/** Big-endian, and never longer than it has to be; an indefinite length has no octets. */
function longLength(octets: Uint8Array): number {
  const [first] = octets;
  if (first === undefined || first === 0) throw unreadable();
  const length = octets.reduce((sum, octet) => sum * 0x100 + octet, 0);
  if (length < 0x80) throw unreadable();
  return length;
}

function contentOf(value: DerValue | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw unreadable();
  return value.content;
}

/** Two's complement, as an INTEGER is. */
export function derInteger(value: DerValue | undefined): bigint {
  const octets = contentOf(value, tags.integer);
  if (octets.length === 0) throw unreadable();
  return BigInt.asIntN(octets.length * 8, BigInt(`0x${Buffer.from(octets).toString("hex")}`));
}
