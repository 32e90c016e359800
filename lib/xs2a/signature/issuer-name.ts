import type { DistinguishedName } from "@/lib/eidas/distinguished-name";

/** Attribute types by the names that certificates' issuers are printed with (RFC 4514, OpenSSL). */
const TYPES: Readonly<Record<string, string>> = {
  cn: "2.5.4.3",
  serialnumber: "2.5.4.5",
  c: "2.5.4.6",
  l: "2.5.4.7",
  st: "2.5.4.8",
  s: "2.5.4.8",
  street: "2.5.4.9",
  o: "2.5.4.10",
  ou: "2.5.4.11",
  postalcode: "2.5.4.17",
  organizationidentifier: "2.5.4.97",
  e: "1.2.840.113549.1.9.1",
  email: "1.2.840.113549.1.9.1",
  emailaddress: "1.2.840.113549.1.9.1",
  dc: "0.9.2342.19200300.100.1.25",
};

/** The issuer's attributes in an order of their own, so that two spellings of one name are equal. */
export function issuerAttributes(issuer: DistinguishedName): readonly string[] {
  return issuer
    .flatMap((relative) => relative.map(({ type, value }) => comparable(type, value)))
    .sort();
}

/** The attributes of a printed name, likewise; undefined when it is no name. */
export function parseIssuerText(text: string): readonly string[] | undefined {
  const plain = text.includes("=") ? text : percentDecoded(text);
  const attributes = plain.split(/(?<!\\)[,+](?=\s*(?:[A-Za-z]+|[\d.]+)\s*=)/).map(attribute);
  return attributes.some((found) => found === undefined)
    ? undefined
    : attributes.filter((found) => found !== undefined).sort();
}

function attribute(text: string): string | undefined {
  const [, name, value] = /^\s*([A-Za-z]+|[\d.]+)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === undefined || value === undefined || value === "") return undefined;
  const type = /^\d/.test(name) ? name : TYPES[name.toLowerCase()];
  return type === undefined ? undefined : comparable(type, unescaped(percentDecoded(value)));
}

/** Names compare without regard to case and to how many blanks there are (X.520 caseIgnoreMatch). */
function comparable(type: string, value: string): string {
  return `${type}=${value.trim().replace(/\s+/g, " ").toLowerCase()}`;
}

/** RFC 4514: `\2C` and `\,` both stand for a comma. */
function unescaped(value: string): string {
  return value.replace(/\\([0-9a-f]{2})|\\(.)/gi, (_, hex: string | undefined, plain: string) =>
    hex === undefined ? plain : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** A name may hold a `%` that encodes nothing; then it is meant as it stands. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
