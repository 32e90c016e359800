import {
  constants,
  createHash,
  type KeyObject,
  publicDecrypt,
  type VerifyKeyObjectInput,
  verify,
} from "node:crypto";
import { decodeBase64 } from "@/lib/eidas/asn1";
import { truncated } from "@/lib/eidas/certificate-fault";
import { type HttpHead, headerName } from "./http";
import { readJson } from "./read-request";
import { type SignedLine, signedLines } from "./signature-header";

export type Hash = "sha256" | "sha512";
type Body = Uint8Array | string;

const HASH_NAMES = { sha256: "SHA-256", sha512: "SHA-512" } as const;

/**
 * What a digest that does not match covers in place of the body: clients hash one text and send
 * another, and nothing else in their request looks wrong. Follows the word Digest.
 */
export function digestMistake(hash: Hash, sent: Uint8Array, body: Uint8Array): string {
  const own = createHash(hash).update(body).digest();
  const [covered] = likelyBodies(body).find(([, text]) => isDigest(hash, sent, text)) ?? [];
  return (
    encodingMistake(hash, sent, body) ??
    covered ??
    `does not match the ${body.byteLength} bytes of the body, whose ${HASH_NAMES[hash]} is ${own.toString("base64")}`
  );
}

/** A base64 text of hexadecimal digits decodes to bytes, too: to others, and to more of them. */
function encodingMistake(hash: Hash, sent: Uint8Array, body: Uint8Array): string | undefined {
  const other = hash === "sha256" ? "sha512" : "sha256";
  if (isDigest(other, sent, body)) {
    return `says ${HASH_NAMES[hash]}, but its value is the ${HASH_NAMES[other]} of the body`;
  }
  const digits = createHash(hash).update(body).digest("hex");
  const bytes = Buffer.from(sent);
  if (bytes.toString("base64").toLowerCase() === digits) return "is hexadecimal, base64 is needed";
  if (bytes.toString("latin1").toLowerCase() === digits)
    return "is base64 of the hexadecimal digits";
  return undefined;
}

function likelyBodies(body: Uint8Array): readonly (readonly [covers: string, text: Body])[] {
  if (body.byteLength === 0) {
    const texts = ["{}", "null", '""', "undefined"];
    return texts.map((text) => [`covers ${text} but the body is empty`, text]);
  }
  const text = Buffer.from(body).toString();
  return [
    [`covers nothing but the body has ${body.byteLength} bytes`, ""],
    ["covers the body with a line feed after it", `${text}\n`],
    ["covers the body without the line break at its end", text.replace(/\r?\n$/, "")],
    ["covers the body with CRLF for LF", text.replace(/\r?\n/g, "\r\n")],
    ["covers the body with LF for CRLF", text.replaceAll("\r\n", "\n")],
    ["covers the body without its byte order mark", text.replace(/^\uFEFF/, "")],
    ["covers the body with a byte order mark before it", `\uFEFF${text}`],
    ["covers the body in Latin-1, the body is UTF-8", Buffer.from(text, "latin1")],
    ...reserialised(body),
  ];
}

/** Within the limits of a body only: what is nested deep grows out of bounds when it is indented. */
function reserialised(body: Uint8Array): readonly (readonly [string, string])[] {
  const value = jsonOf(body);
  if (value === undefined) return [];
  const indented = JSON.stringify(value, null, 2);
  return [
    ["covers the body's JSON without blanks", JSON.stringify(value)],
    ["covers the body's JSON indented by 2", indented],
    ["covers the body's JSON indented by 4", JSON.stringify(value, null, 4)],
    ["covers the body's JSON indented by tabs", JSON.stringify(value, null, "\t")],
    // As Python writes it: on one line, a blank after each comma and colon.
    [
      "covers the body's JSON with a blank after each comma and colon",
      indented.replace(/,\n */g, ", ").replace(/\n */g, ""),
    ],
  ];
}

/** What is nested deeper, or has more members, is not tried. */
const SERIALISED_AGAIN = { jsonDepthMax: 20, jsonMembersMax: 500 };

function jsonOf(body: Uint8Array): unknown {
  try {
    return readJson(body, SERIALISED_AGAIN);
  } catch {
    return undefined;
  }
}

function isDigest(hash: Hash, sent: Uint8Array, text: Body): boolean {
  return createHash(hash).update(text).digest().equals(sent);
}

type GivenSignature = {
  readonly hash: Hash;
  readonly signature: Uint8Array;
  /** The text that should have been signed. */
  readonly signed: Uint8Array;
};

/** An EC signature is verified again for each text; more of them would make a wrong one costly. */
const VERIFICATIONS_MAX = 12;

/**
 * Which of the usual mistakes is behind a signature that does not verify, in words that follow
 * "does not verify"; undefined when it is none of them. Asked only for a certificate that is
 * trusted, and after the signature has been refused: nothing in here makes one pass.
 */
export function usualMistake(
  given: GivenSignature,
  publicKey: KeyObject,
  likely: Iterable<LikelyText>,
): string | undefined {
  return publicKey.asymmetricKeyType === "rsa"
    ? rsaMistake(given, publicKey, likely)
    : ecMistake(given, publicKey, likely);
}

/** An RSA signature says which hash it covers: opened once, it is compared with any number of texts. */
function rsaMistake(
  given: GivenSignature,
  publicKey: KeyObject,
  likely: Iterable<LikelyText>,
): string {
  const { hash, signature, signed } = given;
  const covered = opened(signature, publicKey);
  if (covered === undefined) return unopened(given, publicKey);
  const info = covered.toString("hex");
  const [made, prefix] = Object.entries(DIGEST_INFOS).find(([, der]) => isOf(der, info)) ?? [];
  if (made === undefined || prefix === undefined) return "it holds no DigestInfo of PKCS #1 v1.5";
  if (made !== hash) return `it was made with ${made}, algorithm says ${hash}`;
  const digest = info.slice(prefix.length);
  const digestOf = (text: Uint8Array) => createHash(hash).update(text).digest("hex");
  for (const { mistake, text } of likely) if (digestOf(text) === digest) return mistake;
  return `it covers a text whose ${hash} is ${digest}, that of the right text of ${signed.byteLength} bytes is ${digestOf(signed)}`;
}

/** RFC 8017 9.2: what stands before the hash. */
const DIGEST_INFOS = {
  sha1: "3021300906052b0e03021a05000414",
  sha256: "3031300d060960864801650304020105000420",
  sha384: "3041300d060960864801650304020205000430",
  sha512: "3051300d060960864801650304020305000440",
} as const;

/** The last octet of the prefix says how many come after it. */
function isOf(prefix: string, info: string): boolean {
  const octets = Number.parseInt(prefix.slice(-2), 16);
  return info.startsWith(prefix) && info.length === prefix.length + 2 * octets;
}

function opened(signature: Uint8Array, key: KeyObject): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
  } catch {
    return undefined;
  }
}

function unopened({ hash, signature, signed }: GivenSignature, key: KeyObject): string {
  const bytes = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  const text = Buffer.from(signature).toString("latin1");
  if (/^[0-9a-f]+$/i.test(Buffer.from(signature).toString("base64"))) {
    return "it is hexadecimal, base64 is needed";
  }
  if (decodeBase64(text)?.byteLength === bytes) return "it is base64 of base64";
  if (signature.byteLength !== bytes) {
    return `it has ${signature.byteLength} bytes, one made with this key has ${bytes}`;
  }
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING };
  if (isVerified(hash, signed, { ...pss, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, signature)) {
    return "it is RSASSA-PSS, the algorithm named is RSA of PKCS #1 v1.5";
  }
  return "it was made with another key";
}

function ecMistake(
  { hash, signature, signed }: GivenSignature,
  key: KeyObject,
  likely: Iterable<LikelyText>,
): string | undefined {
  const other = hash === "sha256" ? "sha512" : "sha256";
  if (isVerified(other, signed, { key }, signature)) {
    return `it was made with ${other}, algorithm says ${hash}`;
  }
  if (isVerified(hash, signed, { key, dsaEncoding: "ieee-p1363" }, signature)) {
    return "it is r and s side by side (IEEE P1363), DER is needed";
  }
  let left = VERIFICATIONS_MAX - 2;
  for (const { mistake, text } of likely) {
    if (left === 0) return undefined;
    if (isVerified(hash, text, { key }, signature)) return mistake;
    left -= 1;
  }
  return undefined;
}

/** What cannot be tried at all, such as a form that does not fit the key, is no mistake found. */
function isVerified(
  hash: Hash,
  text: Uint8Array,
  key: VerifyKeyObjectInput,
  signature: Uint8Array,
): boolean {
  try {
    return verify(hash, text, key, signature);
  } catch {
    return false;
  }
}

/** A text that may have been signed in place of the right one, and the mistake that it shows. */
export type LikelyText = { readonly mistake: string; readonly text: Uint8Array };

type SignedRequest = {
  readonly signedHeaders: readonly string[];
  readonly request: HttpHead;
  readonly body: Uint8Array;
};

/** The order in which the standard names them, which many sign in whatever they list. */
const USUAL_ORDER = [
  "(request-target)",
  "digest",
  "x-request-id",
  "psu-id",
  "psu-corporate-id",
  "date",
  "tpp-redirect-uri",
];
/** Of five headers there are 120 orders, of six 720. */
const ORDERED_HEADERS_MAX = 5;

/** What TPPs are seen to sign by mistake, the frequent ones first; made one by one as asked for. */
export function* likelyTexts({
  signedHeaders,
  request,
  body,
}: SignedRequest): Generator<LikelyText> {
  const lines = signedLines(signedHeaders, request);
  const text = written(lines);
  yield* otherTargets(lines, request);
  yield likely("the text ends in a line feed, and must not", `${text}\n`);
  yield likely("its lines end in CRLF, and must in LF", written(lines, "\r\n"));
  yield likely("its lines lack the blank after the colon", written(lines, "\n", ":"));
  yield* otherOrders(lines);
  const digest = lines.find(([name]) => name === "digest");
  if (digest) yield likely("the value of Digest was signed alone", digest[1]);
  yield likely("its header names are in capitals, and must be in small letters", capitals(lines));
  yield likely("its last line ends in CRLF, as do the others", `${written(lines, "\r\n")}\r\n`);
  yield likely(
    "its values have a blank after them, and must be trimmed",
    `${written(lines, " \n")} `,
  );
  yield likely("it has two blanks after each colon, not one", written(lines, "\n", ":  "));
  yield likely(
    "its header names are missing",
    written(
      lines.map(([, value]) => ["", value]),
      "\n",
      "",
    ),
  );
  yield likely("the body was signed in place of the headers", Buffer.from(body).toString("latin1"));
  yield likely("the text was hashed before it was signed", sha256(text).toString("latin1"));
  yield likely("the hexadecimal hash of the text was signed", sha256(text).toString("hex"));
  if (lines.length > ORDERED_HEADERS_MAX) return;
  for (const order of permutations(lines)) yield inOrder(order);
}

function* otherTargets(lines: readonly SignedLine[], request: HttpHead): Generator<LikelyText> {
  const target = lines.find(([name]) => name === "(request-target)")?.[1];
  if (target === undefined) return;
  const { pathname, search, href } = new URL(request.url);
  const small = request.method.toLowerCase();
  const others: readonly SignedLine[] = [
    ["the query, which it lacks", `${small} ${pathname}`],
    ["the method in small letters", `${request.method} ${pathname}${search}`],
    ["the query, and the method in small letters", `${request.method} ${pathname}`],
    ["the path alone, not the whole URL", `${small} ${href}`],
    ["the method, which it lacks", `${pathname}${search}`],
  ];
  for (const [mistake, other] of others) {
    if (other === target) continue;
    const changed = lines.map(
      ([name, value]): SignedLine => [name, name === "(request-target)" ? other : value],
    );
    yield likely(`(request-target) must have ${mistake}`, written(changed));
  }
}

function* otherOrders(lines: readonly SignedLine[]): Generator<LikelyText> {
  const place = ([name]: SignedLine) =>
    USUAL_ORDER.includes(name) ? USUAL_ORDER.indexOf(name) : USUAL_ORDER.length;
  yield inOrder(lines.toSorted((one, other) => place(one) - place(other)));
  yield inOrder(lines.toReversed());
  yield inOrder(lines.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function* permutations(lines: readonly SignedLine[]): Generator<readonly SignedLine[]> {
  if (lines.length === 0) yield [];
  for (const [index, line] of lines.entries()) {
    for (const rest of permutations(lines.toSpliced(index, 1))) yield [line, ...rest];
  }
}

function inOrder(lines: readonly SignedLine[]): LikelyText {
  const names = truncated(lines.map(([name]) => name).join(" "), 150);
  return likely(`its lines are in the order ${names}, headers lists another`, written(lines));
}

function capitals(lines: readonly SignedLine[]): string {
  return written(lines.map(([name, value]) => [headerName(name), value]));
}

function written(lines: readonly SignedLine[], lineEnd = "\n", colon = ": "): string {
  return lines.map(([name, value]) => `${name}${colon}${value}`).join(lineEnd);
}

function likely(mistake: string, text: string): LikelyText {
  return { mistake, text: Buffer.from(text, "latin1") };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text, "latin1").digest();
}
