import { constants, generateKeyPairSync, privateEncrypt, sign } from "node:crypto";
import {
  accepted,
  BODY,
  type CorpusSignature,
  failed,
  invalidDigests,
  invalidHeaders,
  invalidKeys,
  mistaken,
  refused,
  usual,
} from "./signature-corpus-headers";
import { ISSUER, type Line, now, requestId, SERIAL, type Sealing, sha256, sha512 } from "./tpp";

const targeted = ["(request-target)", ...usual];
const path = "/v1/accounts?withBalance=true";
const written = (lines: readonly Line[], end = "\n", colon = ": ") =>
  lines.map(([name, value]) => `${name}${colon}${value}`).join(end);
const digestOf = (text: Buffer) => Buffer.from(sha256(text), "base64");
const right = `digest: SHA-256=${sha256("")}\nx-request-id: ${requestId}\ndate: ${now.toUTCString()}`;

/** Another text than the one that the request gives. */
const texts: readonly (readonly [name: string, sealing: Sealing, mistake: string])[] = [
  [
    "a line feed at the end",
    { text: (lines) => `${written(lines)}\n` },
    "the text ends in a line feed, and must not",
  ],
  [
    "CRLF between the lines",
    { text: (lines) => written(lines, "\r\n") },
    "its lines end in CRLF, and must in LF",
  ],
  [
    "no blank after the colon",
    { text: (lines) => written(lines, "\n", ":") },
    "its lines lack the blank after the colon",
  ],
  [
    "the lines in another order than the list",
    { text: (lines) => written(lines.toReversed()) },
    "its lines are in the order date x-request-id digest, headers lists another",
  ],
  [
    "(request-target) without its query",
    {
      path,
      covered: targeted,
      text: (lines) => written(lines).replace("?withBalance=true", ""),
    },
    "(request-target) must have the query, which it lacks",
  ],
  [
    "(request-target) with the method in capitals",
    { path, covered: targeted, text: (lines) => written(lines).replace(": get", ": GET") },
    "(request-target) must have the method in small letters",
  ],
  [
    "the value of Digest alone",
    {
      text: (lines) =>
        lines.flatMap(([name, value]) => (name === "digest" ? [value] : [])).join(""),
    },
    "the value of Digest was signed alone",
  ],
];

const ofRsaAlone: readonly CorpusSignature[] = [
  mistaken(
    "CRLF after the last line, too",
    { text: (lines) => `${written(lines, "\r\n")}\r\n` },
    "its last line ends in CRLF, as do the others",
  ),
  mistaken(
    "header names in capitals",
    {
      text: (lines) =>
        written(lines)
          .replace("digest", "Digest")
          .replace("x-request-id", "X-Request-ID")
          .replace("date", "Date"),
    },
    "its header names are in capitals, and must be in small letters",
  ),
  mistaken(
    "a blank after each value",
    { text: (lines) => `${written(lines, " \n")} ` },
    "its values have a blank after them, and must be trimmed",
  ),
  mistaken(
    "two blanks after the colon",
    { text: (lines) => written(lines, "\n", ":  ") },
    "it has two blanks after each colon, not one",
  ),
  mistaken(
    "values without names",
    { text: (lines) => lines.map(([, value]) => value).join("\n") },
    "its header names are missing",
  ),
  mistaken(
    "the body in place of the headers",
    { body: BODY, text: () => BODY },
    "the body was signed in place of the headers",
  ),
  mistaken(
    "an order nobody would think of",
    {
      headers: { "psu-id": "ana" },
      text: (lines) => written([1, 3, 0, 2].flatMap((index) => lines.slice(index, index + 1))),
    },
    "its lines are in the order x-request-id psu-id digest date, headers lists another",
  ),
  mistaken(
    "(request-target) with the whole URL",
    {
      path,
      covered: targeted,
      text: (lines) => written(lines).replace("/v1", "https://bank.example/v1"),
    },
    "(request-target) must have the path alone, not the whole URL",
  ),
  mistaken(
    "the hash of the text, hashed once more",
    { sign: (text, key) => sign("sha256", digestOf(text), key) },
    "the text was hashed before it was signed",
  ),
  mistaken(
    "the hexadecimal hash of the text",
    { sign: (text, key) => sign("sha256", Buffer.from(digestOf(text).toString("hex")), key) },
    "the hexadecimal hash of the text was signed",
  ),
];

const other: readonly CorpusSignature[] = [
  mistaken(
    "another text",
    { text: () => "something else" },
    `it covers a text whose sha256 is ${sha256("something else", "hex")}, that of the right text of ${right.length} bytes is ${sha256(right, "hex")}`,
  ),
  refused("an EC signature of another text", { seal: "ec", text: () => "something else" }, failed),
];

/** What was signed is not what came. */
const wrongTexts: readonly CorpusSignature[] = [
  ...texts.map(([name, sealing, mistake]) => mistaken(name, sealing, mistake)),
  ...texts.map(([name, sealing, mistake]) =>
    mistaken(`${name}, with an EC seal`, { ...sealing, seal: "ec" }, mistake),
  ),
  ...ofRsaAlone,
  ...other,
];

const twice = (bytes: Buffer) => Buffer.from(bytes.toString("base64")).toString("base64");

/** The text is right, and what was made of it is not. */
const wronglyMade: readonly CorpusSignature[] = [
  mistaken(
    "S6: SHA-512 under the name of rsa-sha256",
    { sign: (text, key) => sign("sha512", text, key) },
    "it was made with sha512, algorithm says sha256",
  ),
  mistaken(
    "S6: SHA-1 under the name of rsa-sha256",
    { sign: (text, key) => sign("sha1", text, key) },
    "it was made with sha1, algorithm says sha256",
  ),
  mistaken(
    "S6: SHA-512 under the name of ecdsa-sha256",
    { seal: "ec", sign: (text, key) => sign("sha512", text, key) },
    "it was made with sha512, algorithm says sha256",
  ),
  mistaken(
    "S6: SHA-512 under Java's name of SHA-256 with RSA",
    { algorithm: "SHA256withRSA", sign: (text, key) => sign("sha512", text, key) },
    "it was made with sha512, algorithm says sha256",
  ),
  mistaken(
    "S6: RSASSA-PSS under the name of rsa-sha256",
    {
      sign: (text, key) => sign("sha256", text, { key, padding: constants.RSA_PKCS1_PSS_PADDING }),
    },
    "it is RSASSA-PSS, the algorithm named is RSA of PKCS #1 v1.5",
  ),
  mistaken(
    "S6: a bare hash, encrypted",
    { sign: (text, key) => privateEncrypt(key, Buffer.from(sha256(text), "base64")) },
    "it holds no DigestInfo of PKCS #1 v1.5",
  ),
  mistaken(
    "an EC signature of r and s side by side",
    { seal: "ec", sign: (text, key) => sign("sha256", text, { key, dsaEncoding: "ieee-p1363" }) },
    "it is r and s side by side (IEEE P1363), DER is needed",
  ),
  mistaken(
    "the key of somebody else",
    {
      sign: (text) =>
        sign("sha256", text, generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey),
    },
    "it was made with another key",
  ),
  mistaken("base64 of base64", { encode: twice }, "it is base64 of base64"),
  mistaken(
    "hexadecimal",
    { encode: (bytes) => bytes.toString("hex") },
    "it is hexadecimal, base64 is needed",
  ),
  mistaken(
    "half a signature",
    { encode: (bytes) => bytes.subarray(0, 126).toString("base64") },
    "it has 126 bytes, one made with this key has 256",
  ),
  refused(
    "the EC key of somebody else",
    {
      seal: "ec",
      sign: (text) =>
        sign("sha256", text, generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
    },
    failed,
  ),
  refused(
    "base64url",
    { seal: "ec", encode: (bytes) => `-_${bytes.toString("base64url")}` },
    "signature is base64url, base64 is needed",
  ),
  refused(
    "no padding",
    { encode: (bytes) => bytes.toString("base64").replace(/=+$/, "") },
    "signature is base64 without its padding",
  ),
  refused(
    "a blank within",
    { encode: (bytes) => bytes.toString("base64").replace(/^.{64}/, "$& ") },
    "signature is base64 with blanks in it",
  ),
  refused("signs that are no base64", { encode: () => "***" }, "signature is not base64"),
];

const redirect = { "tpp-redirect-uri": "https://tpp.example/cb?state=1" };
const parameters = (header: string) => header.split(/,(?=[a-z]+=")/i);

const issuer = (name: string): Sealing => ({ keyId: `SN=${SERIAL},CA=${name}` });
const serial = (number: string): Sealing => ({ keyId: `SN=${number},CA=${ISSUER}` });
const countryFirst = ISSUER.split(",").reverse();
const der = (value: string) =>
  `#0c${value.length.toString(16).padStart(2, "0")}${Buffer.from(value).toString("hex")}`;
const inDer = `2.5.4.3=${der("Drawbridge Sandbox CA")},OID.2.5.4.10=${der("Drawbridge Sandbox")},C=RO`;
const pem = (der: Uint8Array) => {
  const lines = Buffer.from(der).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
};
const sha512Seal: Sealing["sign"] = (text, key) => sign("sha512", text, key);

const headers: readonly CorpusSignature[] = [
  accepted("as the standard shows it, with a body", { body: BODY, headers: redirect }),
  accepted("without a body: the digest is over no bytes", {}),
  accepted("headers signed in another order", {
    headers: redirect,
    covered: ["tpp-redirect-uri", "date", "x-request-id", "digest"],
  }),
  accepted("(request-target) signed in addition", { covered: ["(request-target)", ...usual] }),
  accepted("(request-target) signed last, with a query", {
    path: "/v1/accounts?withBalance=true&x=%20",
    covered: [...usual, "(request-target)"],
  }),
  accepted("(request-target) of a POST", { body: BODY, covered: ["(request-target)", ...usual] }),
  accepted("headers signed that need not be", {
    headers: { "psu-ip-address": "192.0.2.1", "content-length": "0" },
    covered: [...usual, "psu-ip-address", "content-length"],
  }),
  accepted("PSU-ID and PSU-Corporate-ID sent and signed", {
    headers: { "psu-id": "ana", "psu-corporate-id": "acme" },
  }),
  accepted("a header beyond ASCII, signed as the bytes it is sent in", {
    headers: { "psu-id": Buffer.from("Țară").toString("latin1") },
  }),
  accepted("S7: a digest of an algorithm that is not known beside a right one", {
    headers: { digest: `SHA-256=${sha256("")},SHA=AAAA` },
  }),
  accepted("header names in capitals in the list", { list: "Digest X-Request-ID Date" }),
];

const writing: readonly CorpusSignature[] = [
  accepted("the parameters in another order", {
    rewritten: (header) => parameters(header).reverse().join(","),
  }),
  accepted("blanks around the parameters", {
    rewritten: (header) => parameters(header).join(" , ").replace('keyId="', 'keyId = "'),
  }),
  accepted("the algorithm in capitals", { algorithm: "RSA-SHA256" }),
  accepted("a Date five minutes behind", { headers: { date: "Fri, 20 Nov 2026 09:55:00 GMT" } }),
  accepted("a Date five minutes ahead", { headers: { date: "Fri, 20 Nov 2026 10:05:00 GMT" } }),
];

const algorithms: readonly CorpusSignature[] = [
  accepted("an RSA seal with SHA-512", { sign: sha512Seal, algorithm: "rsa-sha512" }),
  accepted("S6: rsa-sha256 by its name in Java", { algorithm: "SHA256withRSA" }),
  accepted("S6: rsa-sha256 by its name in Java, in capitals", { algorithm: "SHA256WITHRSA" }),
  accepted("S6: rsa-sha512 by its name in Java", { sign: sha512Seal, algorithm: "SHA512withRSA" }),
  accepted("an EC seal on P-256 with SHA-256", { seal: "ec" }),
  accepted("an EC seal on P-256 with SHA-512", {
    seal: "ec",
    sign: sha512Seal,
    algorithm: "ecdsa-sha512",
  }),
  accepted("an EC seal on P-384 with SHA-256", { seal: "ec384" }),
  accepted("the algorithm of an EC seal in capitals", { seal: "ec", algorithm: "ECDSA-SHA256" }),
  accepted("a digest of SHA-512", { body: BODY, headers: { digest: `SHA-512=${sha512(BODY)}` } }),
  accepted("both digests", {
    body: BODY,
    headers: { digest: `SHA-256=${sha256(BODY)}, SHA-512=${sha512(BODY)}` },
  }),
  accepted("the digest's name in small letters", { headers: { digest: `sha-256=${sha256("")}` } }),
];

const keyIds: readonly CorpusSignature[] = [
  accepted("the serial number in small letters", serial(SERIAL.toLowerCase())),
  accepted("the serial number with leading zeros", serial(`0000${SERIAL}`)),
  accepted("the serial number with colons", serial("5A:7B:9C:01")),
  accepted("the serial number with 0x", serial(`0x${SERIAL}`)),
  accepted("the serial number in decimal", serial(BigInt(`0x${SERIAL}`).toString())),
  accepted("the issuer's common name first", issuer(ISSUER)),
  accepted("the issuer's country first", issuer(countryFirst.join(","))),
  accepted("the issuer with blanks after its commas", issuer(countryFirst.join(", "))),
  accepted("the issuer's values percent-encoded", issuer(encodeURI(countryFirst.join(",")))),
  accepted("the issuer percent-encoded as a whole", issuer(encodeURIComponent(ISSUER))),
  accepted("the issuer in small letters", issuer(ISSUER.toLowerCase())),
  accepted(
    "the issuer's types as object identifiers",
    issuer("2.5.4.3=Drawbridge Sandbox CA,2.5.4.10=Drawbridge Sandbox,2.5.4.6=RO"),
  ),
  accepted("the issuer with slashes, as OpenSSL prints it", issuer(`/${countryFirst.join("/")}`)),
  accepted(
    "the issuer with its blanks as +",
    issuer(encodeURIComponent(ISSUER).replaceAll("%20", "+")),
  ),
  accepted(
    "the issuer with all its blanks percent-encoded",
    issuer(countryFirst.join(",%20").replaceAll(" ", "%20")),
  ),
  accepted("the issuer's values in DER, as Java prints what it has no name for", issuer(inDer)),
  accepted("the issuer before the serial number", { keyId: `CA=${ISSUER},SN=${SERIAL}` }),
  accepted("keyId percent-encoded as a whole", {
    keyId: encodeURIComponent(`SN=${SERIAL},CA=${ISSUER}`),
  }),
  accepted("keyId in small letters, with blanks", {
    keyId: `sn = ${SERIAL} , ca = ${ISSUER}`,
  }),
];

const certificates: readonly CorpusSignature[] = [
  accepted("the certificate as a PEM on one line, blanks for its breaks", {
    certificate: (der) => pem(der).trim().replaceAll("\n", " "),
  }),
  accepted("the certificate as a PEM on one line, its breaks left out", {
    certificate: (der) => pem(der).replaceAll("\n", ""),
  }),
  accepted("the certificate as base64 with blanks for its breaks", {
    certificate: (bytes) => Buffer.from(bytes).toString("base64").replace(/.{64}/g, "$& "),
  }),
  accepted("the certificate as base64 of a PEM", {
    certificate: (der) => Buffer.from(pem(der)).toString("base64"),
  }),
];

/** What real clients send, each in its own way, and all of it right. */
const dialects = [...headers, ...writing, ...algorithms, ...keyIds, ...certificates];

/** Signed requests good and bad by what they are about, each with its verdict. */
export const corpus: Readonly<Record<string, readonly CorpusSignature[]>> = {
  "a dialect of real clients passes": dialects,
  "S1 to S5, S9: what a signature covers, and how it is written": invalidHeaders,
  "S6, S8: which key a signature is of": invalidKeys,
  "S7: a digest that is not the body's": invalidDigests,
  "a signature that does not verify": [...wrongTexts, ...wronglyMade],
};

/**
 * What a header says, written apart from the code that reads it: two texts of one meaning differ
 * only in what nobody is bound by, such as blanks, the case of a name and the order of its parts.
 */
export type SignedHeader = "signature" | "digest" | "tpp-signature-certificate";

export function meaningOf(header: SignedHeader, value: string): string {
  const text = value.trim();
  if (header === "digest") return text;
  if (header === "tpp-signature-certificate") return bytesOf(text);
  return signatureMeaning(text);
}

/** Every parameter by its name; whatever stands between them, but for one comma, is part of it. */
function signatureMeaning(text: string): string {
  const parameter = /([a-z]+)\s*=\s*"([^"]*)"/gi;
  const found = [...text.matchAll(parameter)].map(([, name = "", value = ""]) =>
    name === "keyId" ? `keyId ${keyIdMeaning(value)}` : `${name} ${valueMeaning(name, value)}`,
  );
  const rest = text.replace(parameter, "").replace(/\s/g, "").replace(/,$/, "");
  return [...found.sort(), rest].join("\n");
}

function valueMeaning(name: string, value: string): string {
  if (name === "signature") return bytesOf(value);
  return name === "algorithm" || name === "headers" ? value.toLowerCase() : value;
}

/** The number, and the attributes of the name in an order of their own. */
function keyIdMeaning(value: string): string {
  const [, serial = "none", issuer = "none"] =
    /^\s*sn\s*=([^,]*),\s*ca\s*=(.*)$/is.exec(value) ?? [];
  const number = serial.toLowerCase().replace(/[:\s]/g, "").replace(/^0x/, "");
  const attributes = issuer.split(/[,+](?=\s*[a-z]+\s*=)/i).map(attributeMeaning);
  return [number.replace(/^0+/, ""), ...attributes.sort()].join("|");
}

function attributeMeaning(attribute: string): string {
  return decoded(attribute)
    .replace(/\\([^0-9a-f]|.(?![0-9a-f]))/gi, "$1")
    .replace(/\s*=\s*/, "=")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Letters that are no base64, and bits beyond the last octet, are left aside: the octets count. */
function bytesOf(base64: string): string {
  return Buffer.from(base64, "base64").toString("hex");
}
