import { unreadable } from "../asn1";

/**
 * One value of DER where it lies. A list has 20,000 entries: as a tree of objects they would hold up
 * every other call for seconds, walked over they take milliseconds.
 */
export type DerValue = {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
};

export const tags = { boolean: 0x01, integer: 0x02, sequence: 0x30, tagged0: 0xa0 } as const;

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

/** The value that begins here, whatever comes after it. Throws a CertificateFault. */
export function derValueAt(bytes: Uint8Array, at: number): DerValue {
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

/** What lies within a value of this tag. */
export function contentOf(value: DerValue | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw unreadable();
  return value.content;
}

/** Two's complement, as an INTEGER is. */
export function derInteger(value: DerValue | undefined): bigint {
  const octets = contentOf(value, tags.integer);
  if (octets.length === 0) throw unreadable();
  return BigInt.asIntN(octets.length * 8, BigInt(`0x${Buffer.from(octets).toString("hex")}`));
}
