import { type Rejection, reject } from "@/lib/domain/errors";
import { decodeBase64, readDer, text } from "@/lib/eidas/asn1";
import type { Certificate, DistinguishedName, NameAttribute } from "@/lib/eidas/certificate";
import { truncated } from "@/lib/eidas/certificate-fault";
import type { HttpHead } from "./http";

/** The four parameters of draft-cavage-http-signatures that this profile knows. */
export type SignatureHeader = {
  readonly keyId: string;
  readonly algorithm: string;
  /** Lower-case names in the order they were signed. */
  readonly signedHeaders: readonly string[];
  readonly signature: Uint8Array;
};

const SIGNATURE_PARAMETER = /^\s*([a-zA-Z]+)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)/;
const KNOWN_PARAMETERS = ["keyId", "algorithm", "headers", "signature"] as const;
const HEADER_NAME = /^(?:[a-z0-9-]+|\(request-target\))$/;

/**
 * Reads the header strictly: libraries of this draft let a missing list of headers mean `date`, take
 * the last of two equal parameters and skip what they do not know. Here each of the four stands
 * exactly once. Rejects with 401 SIGNATURE_INVALID.
 */
export function parseSignatureHeader(value: string): SignatureHeader {
  const found = parameters(value);
  const [keyId, algorithm, headers, signature] = KNOWN_PARAMETERS.map((name) => {
    const text = found.get(name);
    if (text === undefined || text === "") throw signatureInvalid(`Signature lacks ${name}`);
    return text;
  }) as [string, string, string, string];
  const bytes = decodeBase64(signature);
  if (bytes === undefined) throw signatureInvalid(`signature ${misencoded(signature)}`);
  return {
    keyId,
    algorithm: algorithm.toLowerCase(),
    signedHeaders: headerList(headers),
    signature: bytes,
  };
}

function parameters(value: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let rest = value; rest !== ""; ) {
    const [whole, name, text] = SIGNATURE_PARAMETER.exec(rest) ?? [];
    if (whole === undefined || name === undefined || text === undefined) throw noList(rest);
    if (!isKnown(name)) throw unknownParameter(name);
    if (found.has(name)) throw signatureInvalid(`Signature gives ${name} twice`);
    found.set(name, text);
    rest = rest.slice(whole.length);
  }
  return found;
}

/** Other standards' forms, and marks left out: what the sender took this header for. */
function noList(rest: string) {
  if (/^\s*Signature\s/i.test(rest)) {
    return signatureInvalid('Signature begins with the word "Signature", as Authorization would');
  }
  if (/^\s*[a-z][a-z0-9_.*-]*=:/.test(rest)) {
    return signatureInvalid(
      "Signature is in the form of RFC 9421, here it is that of draft-cavage-http-signatures-10",
    );
  }
  const [, name] = /^\s*([a-zA-Z]+)\s*=\s*[^\s"]/.exec(rest) ?? [];
  if (name === undefined) {
    const form = 'name="value" with commas between';
    return signatureInvalid(`Signature is not a list of ${form}, from here on: ${truncated(rest)}`);
  }
  if (!isKnown(name)) return unknownParameter(name);
  return signatureInvalid(`Signature gives ${name} without quotation marks`);
}

function isKnown(name: string): boolean {
  return KNOWN_PARAMETERS.some((known) => known === name);
}

function unknownParameter(name: string) {
  return signatureInvalid(
    `Signature has the parameter ${truncated(name)}, which is not part of this profile: it has ${KNOWN_PARAMETERS.join(", ")}`,
  );
}

function headerList(text: string): readonly string[] {
  const names = text.toLowerCase().split(" ");
  const wrong = names.find((name) => !HEADER_NAME.test(name));
  if (wrong === "" || (wrong !== undefined && /[\s,;]/.test(wrong))) {
    throw signatureInvalid(
      `headers is a list of header names, one blank between and nothing else; it says "${truncated(text, 150)}"`,
    );
  }
  if (wrong !== undefined) {
    throw signatureInvalid(`headers names ${truncated(wrong)}, which is no header to sign here`);
  }
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size);
  if (twice !== undefined) throw signatureInvalid(`headers names ${truncated(twice)} twice`);
  return names;
}

export type SignedLine = readonly [name: string, value: string];

/**
 * The bytes that were signed: a line `name: value` for each covered header, in the order of the
 * list. Header values are taken as the bytes they were on the wire, which Node hands on as Latin-1.
 */
export function signingString(signed: readonly string[], request: HttpHead): Uint8Array {
  const lines = signedLines(signed, request).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(lines.join("\n"), "latin1");
}

export function signedLines(signed: readonly string[], request: HttpHead): readonly SignedLine[] {
  return signed.map((name) => {
    const value = name === "(request-target)" ? requestTarget(request) : request.headers.get(name);
    if (value === null) throw new Error(`covered headers are checked before: ${name}`);
    return [name, value];
  });
}

function requestTarget(request: HttpHead): string {
  const { pathname, search } = new URL(request.url);
  return `${request.method.toLowerCase()} ${pathname}${search}`;
}

// No two runs of blanks are adjacent in them: a long one is read once.
const KEY_ID = /^\s*SN\s*=(?<serial>[^,]+),\s*CA\s*=(?<name>.+)$/is;
const ISSUER_FIRST = /^\s*CA\s*=(?<name>.+),\s*SN\s*=(?<serial>[^,]+)$/is;
const NAME_CHARACTERS_MAX = 150;

type Named = Pick<Certificate, "serialNumber" | "issuer" | "subject">;

/** What named a certificate last: its TPP writes the same with each request. */
const understood = new WeakMap<Named, string>();

/**
 * keyId names the certificate that came along, by serial number and issuer. Real TPPs write both in many ways:
 * hexadecimal in either case, with leading zeros or colons, or decimal; the issuer in either order, percent-encoded
 * or not. It is the number and the name that have to be the same. Header values come as Latin-1, names are sent in
 * UTF-8. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkKeyId(
  header: string,
  seal: Named,
  qwac?: Pick<Certificate, "serialNumber">,
): void {
  if (understood.get(seal) === header) return;
  const keyId = inUtf8(header);
  const { serial, name } = keyIdParts(keyId) ?? keyIdParts(percentDecoded(keyId)) ?? {};
  const issuer = truncated(issuerText(seal.issuer), NAME_CHARACTERS_MAX);
  if (serial === undefined || name === undefined) {
    const form = `SN=${hexadecimal(seal.serialNumber)},CA=${issuer}`;
    throw signatureInvalid(`keyId ${truncated(keyId)} is not of the form ${form}`);
  }
  checkSerial(serial.trim(), seal, qwac);
  if (namesIssuer(name, seal.issuer)) {
    understood.set(seal, header);
    return;
  }
  throw signatureInvalid(
    namesIssuer(name, seal.subject)
      ? `keyId names the subject of the certificate, its issuer is ${issuer}`
      : `keyId names the issuer ${truncated(name.trim(), NAME_CHARACTERS_MAX)}, the certificate has ${issuer}`,
  );
}

function keyIdParts(keyId: string) {
  return (KEY_ID.exec(keyId) ?? ISSUER_FIRST.exec(keyId))?.groups;
}

/** As it came where it is no UTF-8. */
function inUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function checkSerial(
  serial: string,
  { serialNumber }: Named,
  qwac: Pick<Certificate, "serialNumber"> | undefined,
): void {
  if (namesCertificate(serial, serialNumber)) return;
  const of =
    qwac && namesCertificate(serial, qwac.serialNumber) ? ", that of the client certificate" : "";
  const decimal = /^\d+$/.test(serial) ? `, in decimal ${serialNumber}` : "";
  throw signatureInvalid(
    `keyId names serial ${truncated(serial)}${of}, the certificate has ${hexadecimal(serialNumber)}${decimal}`,
  );
}

function namesCertificate(serial: string, serialNumber: bigint): boolean {
  const digits = serial.replace(/^0x/i, "").replace(/[:\s]/g, "");
  const inHexadecimal = /^[0-9a-f]{1,64}$/i.test(digits) && BigInt(`0x${digits}`) === serialNumber;
  const inDecimal = /^\d{1,64}$/.test(digits) && BigInt(digits) === serialNumber;
  return inHexadecimal || inDecimal;
}

function hexadecimal(serialNumber: bigint): string {
  return serialNumber.toString(16).toUpperCase();
}

/** Longer than any issuer's name is, however it is encoded. */
const PRINTED_CHARACTERS_MAX = 4_000;

/**
 * Whether the text names this issuer. One name is printed and encoded in many ways, and a header does
 * not say which was meant, so each is tried: the name has to be the same in one of them. Order, case and
 * the number of blanks are ignored (X.520 caseIgnoreMatch).
 */
export function namesIssuer(printed: string, issuer: DistinguishedName): boolean {
  if (printed.length > PRINTED_CHARACTERS_MAX) return false;
  const attributes = issuer.flat();
  const wanted = comparable(attributes);
  for (const reading of readings(printed, attributes.length)) {
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

function* readings(
  printed: string,
  count: number,
): Generator<readonly NameAttribute[] | undefined> {
  // keyId is a quoted string, in which some escape backslashes and quotation marks once more.
  for (const text of new Set([printed, printed.replace(/\\(["\\])/g, "$1")])) {
    // Encoders of forms write a blank as "+", which otherwise stands between two attributes.
    for (const blanks of new Set([text, text.replaceAll("+", " ")])) {
      yield readPrintedName(blanks, count);
      yield readPrintedName(blanks, count)?.map(({ type, value }) => ({
        type,
        value: percentDecoded(value),
      }));
      yield readPrintedName(percentDecoded(blanks), count);
    }
  }
}

/** A name may hold a `%` that encodes nothing; then it is meant as it stands. */
function percentDecoded(text: string): string {
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

/** What stands before the `=` of an attribute. */
const NAME_TYPE = "(?:[A-Za-z]+|(?:OID\\.)?\\d[\\d.]*)";
/** A separator is one only where another attribute begins after it: names have commas of their own. */
const COMMAS = new RegExp(`^[,;+](?=\\s*${NAME_TYPE}\\s*=)`, "i");
const SLASHES = new RegExp(`^[/+](?=\\s*${NAME_TYPE}\\s*=)`, "i");
const ATTRIBUTE = new RegExp(`^(${NAME_TYPE})\\s*=(.*)$`, "is");
/** A character with its escape, and what stands in quotation marks, as one piece. */
const NAME_PIECE = /"(?:[^"\\]|\\.)*"|\\.|./gs;

/**
 * The attributes of a printed name, in the forms of RFC 4514, RFC 1779 and OpenSSL, most specific
 * part first or last; undefined when it is none, or has another number of them: to decode many costs a lot (X14).
 */
function readPrintedName(printed: string, count: number): readonly NameAttribute[] | undefined {
  const trimmed = printed.trim();
  const parts = trimmed.startsWith("/")
    ? separated(trimmed.slice(1), SLASHES)
    : separated(trimmed, COMMAS);
  if (parts.length !== count) return undefined;
  const attributes = parts.map(attribute);
  return attributes.every((found) => found !== undefined) ? attributes : undefined;
}

function separated(name: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  for (const { 0: piece, index } of name.matchAll(NAME_PIECE)) {
    if (piece.length > 1 || !/[,;+/]/.test(piece) || !separator.test(name.slice(index))) continue;
    parts.push(name.slice(begin, index));
    begin = index + 1;
  }
  return [...parts, name.slice(begin)];
}

function attribute(part: string): NameAttribute | undefined {
  const [, name, printed] = ATTRIBUTE.exec(part.trim()) ?? [];
  if (name === undefined || printed === undefined || printed.trim() === "") return undefined;
  const type = typeNamed(name);
  return type === undefined ? undefined : { type, value: plainValue(printed.trim()) };
}

function plainValue(printed: string): string {
  const encoded = /^#((?:[0-9a-f]{2})+)$/i.exec(printed)?.[1];
  const quoted = /^"(.*)"$/s.exec(printed)?.[1];
  return (encoded && decoded(encoded)) ?? unescaped(quoted ?? printed);
}

/** RFC 4514 2.4: `#` and the value's DER in hexadecimal, as Java and Go print types they do not know. */
function decoded(hexadecimal: string): string | undefined {
  try {
    return text(readDer(Buffer.from(hexadecimal, "hex")));
  } catch {
    return undefined;
  }
}

/** `\,` and `\2C` both stand for a comma; OpenSSL also writes `\x2C`. Bytes in a row are UTF-8. */
function unescaped(value: string): string {
  return value.replace(
    /((?:\\x?[0-9a-f]{2})+)|\\(.)/gis,
    (_, bytes: string | undefined, plain: string) =>
      bytes === undefined ? plain : Buffer.from(bytes.replace(/\\x?/gi, ""), "hex").toString(),
  );
}

/** Attribute types with the names that tools print them with; the one we print comes first. */
const NAMES = new Map<string, readonly [string, ...string[]]>([
  ["2.5.4.3", ["CN", "commonName"]],
  ["2.5.4.4", ["surname"]],
  ["2.5.4.5", ["serialNumber"]],
  ["2.5.4.6", ["C", "countryName"]],
  ["2.5.4.7", ["L", "localityName"]],
  ["2.5.4.8", ["ST", "S", "stateOrProvinceName"]],
  ["2.5.4.9", ["street", "streetAddress"]],
  ["2.5.4.10", ["O", "organizationName"]],
  ["2.5.4.11", ["OU", "organizationalUnitName"]],
  ["2.5.4.12", ["title", "T"]],
  ["2.5.4.13", ["description"]],
  ["2.5.4.15", ["businessCategory"]],
  ["2.5.4.17", ["postalCode"]],
  ["2.5.4.42", ["givenName", "GN"]],
  ["2.5.4.46", ["dnQualifier"]],
  ["2.5.4.65", ["pseudonym"]],
  ["2.5.4.97", ["organizationIdentifier"]],
  ["1.2.840.113549.1.9.1", ["emailAddress", "E", "email"]],
  ["0.9.2342.19200300.100.1.25", ["DC", "domainComponent"]],
  ["0.9.2342.19200300.100.1.1", ["UID"]],
]);
const TYPES = new Map(
  [...NAMES].flatMap(([type, names]) => names.map((name) => [name.toLowerCase(), type] as const)),
);

/** The object identifier of a type by any of its names, or written out, with or without `OID.`. */
function typeNamed(name: string): string | undefined {
  const written = /^(?:OID\.)?(\d[\d.]*)$/i.exec(name)?.[1];
  return written ?? TYPES.get(name.toLowerCase());
}

/** The name that a type is printed with; its object identifier where it has no usual name. */
function nameOfType(type: string): string {
  return NAMES.get(type)?.[0] ?? type;
}

/** Why a text is no base64, as far as its letters tell; follows the name of what it should encode. */
export function misencoded(text: string): string {
  if (/^".*"$/.test(text)) return "is in quotation marks, base64 has none";
  if (/%[0-9a-f]{2}/i.test(text)) return "is percent-encoded, base64 is needed";
  if (/\s/.test(text)) return "is base64 with blanks in it";
  if (/^:.*:$/.test(text)) return "is in colons, as RFC 9530 has it; here it is plain base64";
  if (/^[\w-]+={0,2}$/.test(text) && /[-_]/.test(text)) return "is base64url, base64 is needed";
  if (/^[A-Za-z0-9+/]+$/.test(text) && text.length % 4 !== 0)
    return "is base64 without its padding";
  return "is not base64";
}

/** 401 SIGNATURE_INVALID with the cause in words, at the header that is wrong. */
export function signatureInvalid(text: string, path = "Signature"): Rejection {
  return reject("SIGNATURE_INVALID", text, { path });
}
