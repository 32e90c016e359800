import {
  type BaseBlock,
  BaseStringBlock,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  UTCTime,
} from "asn1js";
import { CertificateFault, certificateLimits } from "./certificate-fault";

/** One value of an ASN.1 tree; `undefined` where an element is missing, so that shapes read as patterns. */
export type Asn1 = BaseBlock | undefined;

export function unreadable(what = "certificate"): CertificateFault {
  return new CertificateFault(`${what} is unreadable`);
}

/**
 * Reads exactly one value, without anything after it and without parsing octet strings: their content
 * is read by callers that know its type.
 */
export function readDer(bytes: Uint8Array): BaseBlock {
  const { offset, result } = fromBER(new Uint8Array(bytes), {
    maxDepth: certificateLimits.asn1DepthMax,
    maxNodes: certificateLimits.asn1NodesMax,
    maxContentLength: certificateLimits.derBytesMax,
    parseEmbedded: false,
  });
  if (offset !== bytes.byteLength) throw unreadable();
  return result;
}

export function elements(value: Asn1): readonly BaseBlock[] {
  if (!(value instanceof Sequence)) throw unreadable();
  return value.valueBlock.value;
}

export function objectId(value: Asn1): string {
  if (!(value instanceof ObjectIdentifier)) throw unreadable();
  return value.getValue();
}

export function integer(value: Asn1): Integer {
  if (!(value instanceof Integer)) throw unreadable();
  return value;
}

export function octets(value: Asn1): Uint8Array {
  if (!(value instanceof OctetString)) throw unreadable();
  return value.valueBlock.valueHexView;
}

export function isTagged(value: BaseBlock, number: number): boolean {
  return value.idBlock.tagClass === 3 && value.idBlock.tagNumber === number;
}

/** What stands within an explicit tag `[number]`, and nothing beside it. */
export function explicit(value: Asn1, number: number): BaseBlock {
  if (!(value instanceof Constructed) || !isTagged(value, number)) throw unreadable();
  const [content, ...more] = value.valueBlock.value;
  if (content === undefined || more.length > 0) throw unreadable();
  return content;
}

/** Decoders by universal tag. Older issuers write Teletex strings as Latin 1; other types do not occur. */
const encodings: Readonly<Record<number, string>> = {
  12: "utf-8",
  19: "ascii",
  20: "latin1",
  22: "ascii",
  30: "utf-16be",
};

export function text(value: Asn1): string {
  if (!(value instanceof BaseStringBlock)) throw unreadable();
  const encoding = encodings[value.idBlock.tagNumber];
  const bytes: Uint8Array = value.valueBlock.valueHexView;
  if (encoding === undefined) throw unreadable();
  if (encoding === "ascii" && bytes.some((byte) => byte > 0x7f)) throw unreadable();
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable();
  }
}

/**
 * RFC 5280 4.1.2.5: seconds, in UTC, two digits of the year before 2050. Anything else that
 * ASN.1 allows as a time could be read as another instant by another reader.
 */
export function instant(value: Asn1): Date {
  if (!(value instanceof UTCTime)) throw unreadable();
  const written = String.fromCharCode(...value.valueBlock.valueHexView);
  const digits = value instanceof GeneralizedTime ? written : `${century(written)}${written}`;
  const parts = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(digits);
  if (parts === null) throw unreadable();
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) throw unreadable();
  return date;
}

function century(written: string): string {
  return written.slice(0, 2) >= "50" ? "19" : "20";
}

/** Bytes of a padded base64 text in its one canonical form; `undefined` for anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
