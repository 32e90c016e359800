import { BaseStringBlock, GeneralizedTime, UTCTime } from "asn1js";
import { type Asn1, unreadable } from "./asn1";

/** Decoders by universal tag. Older issuers write Teletex strings as Latin 1; other types do not occur. */
const encodings: Readonly<Record<number, string>> = {
  12: "utf-8",
  19: "ascii",
  20: "latin1",
  22: "ascii",
  30: "utf-16be",
};

/** The text of a string value. Throws when a byte does not fit its type. */
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
