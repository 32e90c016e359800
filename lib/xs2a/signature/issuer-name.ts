import type { DistinguishedName, NameAttribute } from "@/lib/eidas/distinguished-name";
import { nameOfType } from "./attribute-names";
import { readPrintedName } from "./printed-name";

/** Longer than any issuer's name is, however it is encoded. */
const PRINTED_CHARACTERS_MAX = 4_000;

/**
 * Whether the text names this issuer. One name is printed and encoded in many ways, and a header does
 * not say which was meant, so each is tried: the name has to be the same in one of them. Order, case and
 * the number of blanks do not count (X.520 caseIgnoreMatch).
 */
export function namesIssuer(printed: string, issuer: DistinguishedName): boolean {
  if (printed.length > PRINTED_CHARACTERS_MAX) return false;
  const wanted = comparable(issuer.flat());
  for (const reading of readings(printed)) {
    if (reading !== undefined && comparable(reading) === wanted) return true;
  }
  return false;
}

/** A name for people: the last attribute first, as RFC 4514 writes it, nothing escaped. */
export function issuerText(issuer: DistinguishedName): string {
  return issuer
    .flat()
    .toReversed()
    .map(({ type, value }) => `${nameOfType(type)}=${value}`)
    .join(",");
}

function* readings(printed: string): Generator<readonly NameAttribute[] | undefined> {
  // keyId is a quoted string, in which some escape backslashes and quotation marks once more.
  for (const text of new Set([printed, printed.replace(/\\(["\\])/g, "$1")])) {
    // Encoders of forms write a blank as "+", which otherwise stands between two attributes.
    for (const blanks of new Set([text, text.replaceAll("+", " ")])) {
      yield readPrintedName(blanks);
      yield readPrintedName(blanks)?.map(({ type, value }) => ({
        type,
        value: percentDecoded(value),
      }));
      yield readPrintedName(percentDecoded(blanks));
    }
  }
}

/** A name may hold a `%` that encodes nothing; then it is meant as it stands. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function comparable(attributes: readonly NameAttribute[]): string {
  return attributes
    .map(({ type, value }) => `${type}=${value.trim().replace(/\s+/g, " ")}`)
    .map((attribute) => attribute.normalize("NFKC").toLowerCase())
    .sort()
    .join("\n");
}
