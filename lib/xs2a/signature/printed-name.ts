import { readDer } from "@/lib/eidas/asn1";
import { text } from "@/lib/eidas/asn1-text";
import type { NameAttribute } from "@/lib/eidas/distinguished-name";
import { typeNamed } from "./attribute-names";

/** What stands before the `=` of an attribute. */
const TYPE = "(?:[A-Za-z]+|(?:OID\\.)?\\d[\\d.]*)";
/** A separator is one only where another attribute begins after it: names have commas of their own. */
const COMMAS = new RegExp(`^[,;+](?=\\s*${TYPE}\\s*=)`, "i");
const SLASHES = new RegExp(`^[/+](?=\\s*${TYPE}\\s*=)`, "i");
const ATTRIBUTE = new RegExp(`^(${TYPE})\\s*=(.*)$`, "is");
/** A character with its escape, and what stands in quotation marks, as one piece. */
const PIECE = /"(?:[^"\\]|\\.)*"|\\.|./gs;

/**
 * The attributes of a printed name, in the forms of RFC 4514, RFC 1779 and OpenSSL, most specific
 * part first or last; undefined when it is none.
 */
export function readPrintedName(printed: string): readonly NameAttribute[] | undefined {
  const trimmed = printed.trim();
  const parts = trimmed.startsWith("/")
    ? separated(trimmed.slice(1), SLASHES)
    : separated(trimmed, COMMAS);
  const attributes = parts.map(attribute);
  return attributes.some((found) => found === undefined)
    ? undefined
    : attributes.filter((found) => found !== undefined);
}

function separated(name: string, separator: RegExp): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  for (const { 0: piece, index } of name.matchAll(PIECE)) {
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
