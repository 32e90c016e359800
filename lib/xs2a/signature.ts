import { createHash, timingSafeEqual, verify } from "node:crypto";
import { reject } from "@/lib/domain/errors";
import { decodeBase64 } from "@/lib/eidas/asn1";
import type { Certificate } from "@/lib/eidas/certificate";
import { truncated } from "@/lib/eidas/certificate-fault";
import { checkQseal, type Qwac } from "@/lib/eidas/qwac-qsealc";
import { keyName } from "@/lib/eidas/trust";
import type { Xs2aPorts } from "./declaration";
import { type HttpHead, type HttpHeaders, headerName } from "./http";
import {
  digestMistake,
  type Hash,
  type LikelyText,
  likelyTexts,
  usualMistake,
} from "./signature-diagnosis";
import {
  checkKeyId,
  misencoded,
  parseSignatureHeader,
  signatureInvalid,
  signingString,
} from "./signature-header";

/**
 * The seal of the same TPP over this very request: draft-cavage-http-signatures as NextGenPSD2
 * narrows it. The certificate comes first, so that only a TPP with a trusted one learns what is wrong
 * with the rest; the cryptography comes last. Returns the seal's certificate. Rejects with 401
 * SIGNATURE_* or CERTIFICATE_*, or 400 TIMESTAMP_INVALID.
 */
export function verifySignature(
  request: HttpHead,
  body: Uint8Array,
  qwac: Qwac,
  { trustAnchors, profile }: Pick<Xs2aPorts, "trustAnchors" | "profile">,
  now: Date,
): Certificate {
  const { headers } = request;
  const header = headers.get("signature");
  if (header === null) {
    throw reject("SIGNATURE_MISSING", "Signature is missing: every request has to be signed", {
      path: "Signature",
    });
  }
  const seal = checkQseal(
    headers.get("tpp-signature-certificate") ?? undefined,
    qwac,
    trustAnchors,
    now,
  );
  const { keyId, algorithm, signedHeaders, signature } = parseSignatureHeader(header);
  checkDigest(headers.get("digest"), body);
  checkDate(headers.get("date"), now, profile.request.dateSkewSeconds);
  checkCoveredHeaders(signedHeaders, headers);
  checkKeyId(keyId, seal, qwac.certificate);
  const signed = signingString(signedHeaders, request);
  const likely = likelyTexts({ signedHeaders, request, body });
  checkVerifies({ algorithm, signature, signed }, seal, likely);
  return seal;
}

const ALWAYS = ["digest", "x-request-id", "date"] as const;
const WHEN_SENT = ["psu-id", "psu-corporate-id", "tpp-redirect-uri"] as const;
const NOK = "tpp-nok-redirect-uri";

/**
 * What the signature has to cover; more may be covered. Without this rule a signature over `date`
 * alone would pass for a signature of the request. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkCoveredHeaders(signed: readonly string[], headers: HttpHeaders): void {
  const missing = headersToCover(headers).filter((name) => !signed.includes(name) && name !== NOK);
  if (missing.length > 0) throw signatureInvalid(`Signature does not cover ${missing.join(", ")}`);
  const absent = signed.find((name) => !name.startsWith("(") && !headers.has(name));
  if (absent !== undefined) {
    const name = truncated(absent);
    throw signatureInvalid(`Signature covers ${name}, but the request has no ${headerName(name)}`);
  }
  if (!signed.includes(NOK) && headersToCover(headers).includes(NOK)) {
    throw signatureInvalid(
      `Signature does not cover ${NOK}, which leads to another host than tpp-redirect-uri`,
    );
  }
}

export function headersToCover(headers: HttpHeaders): readonly string[] {
  const sent = WHEN_SENT.filter((name) => headers.has(name));
  return [...ALWAYS, ...sent, ...(nokLeadsElsewhere(headers) ? [NOK] : [])];
}

/**
 * The standard's profile does not have the Nok URI signed, so clients that sign what it lists send it bare. On the
 * host of the signed URI it cannot redirect to another party. What is no URI at all is refused where URIs are read.
 */
function nokLeadsElsewhere(headers: HttpHeaders): boolean {
  const nok = originOf(headers.get(NOK));
  if (nok === undefined) return false;
  const ok = originOf(headers.get("tpp-redirect-uri"));
  return ok !== undefined && ok !== nok;
}

function originOf(uri: string | null): string | undefined {
  return uri !== null && URL.canParse(uri) ? new URL(uri).origin : undefined;
}

/** The last header that was well written: all requests of one second have the same. */
let latestDate = { header: "none", milliseconds: Number.NaN };

/**
 * A signature is good for a few minutes: a request that was recorded cannot be sent again later.
 * Rejects with 401 SIGNATURE_INVALID when there is no Date, 400 TIMESTAMP_INVALID when it is wrong.
 */
export function checkDate(header: string | null, now: Date, skewSeconds: number): void {
  if (header === null) throw signatureInvalid("Date is missing", "Date");
  if (latestDate.header !== header) latestDate = { header, milliseconds: instantOf(header, now) };
  const seconds = Math.round((latestDate.milliseconds - now.getTime()) / 1_000);
  if (Math.abs(seconds) <= skewSeconds) return;
  const direction = seconds < 0 ? "behind" : "ahead of";
  throw wrongDate(
    `Date is ${Math.abs(seconds)} s ${direction} the bank's clock, which says ${now.toUTCString()}; ${skewSeconds} s are allowed`,
  );
}

function instantOf(header: string, now: Date): number {
  const sent = new Date(header);
  const isInstant = !Number.isNaN(sent.getTime());
  // The one form of RFC 7231 that may be sent is the one that JavaScript writes.
  if (!isInstant || sent.toUTCString() !== header) {
    const written = (isInstant ? sent : now).toUTCString();
    throw wrongDate(`Date is not a date of RFC 7231, which is written ${written}`);
  }
  return sent.getTime();
}

function wrongDate(text: string) {
  return reject("TIMESTAMP_INVALID", text, { path: "Date" });
}

/** RFC 3230, as far as this profile takes it; a map, so that no name of a prototype is one. */
const HASHES = new Map<string, Hash>([
  ["sha-256", "sha256"],
  ["sha-512", "sha512"],
]);
const ENTRY = /^([A-Za-z0-9-]+)=(.+)$/;

/**
 * The digest is over the raw bytes as they came, for a request without a body over none. One has to be of an
 * algorithm we know, and every such one has to match; others beside it are not judged (RFC 3230, 4.3.2). Rejects with
 * 401 SIGNATURE_INVALID.
 */
export function checkDigest(header: string | null, body: Uint8Array): void {
  if (header === null) throw invalidDigest("Digest is missing");
  const given = new Set<string>();
  const unknown: string[] = [];
  for (const entry of header.split(",")) {
    const [, name, value] = ENTRY.exec(entry.trim()) ?? [];
    if (name === undefined || value === undefined) {
      throw invalidDigest(`Digest "${truncated(entry.trim())}" is not of the form SHA-256=base64`);
    }
    const hash = HASHES.get(name.toLowerCase());
    if (hash === undefined) {
      unknown.push(truncated(name));
      continue;
    }
    if (given.has(hash)) throw invalidDigest(`Digest gives ${name} twice`);
    given.add(hash);
    const sent = decodeBase64(value);
    if (sent === undefined) throw invalidDigest(`Digest ${misencoded(value)}`);
    const expected = createHash(hash).update(body).digest();
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      throw invalidDigest(`Digest ${digestMistake(hash, sent, body)}`);
    }
  }
  if (given.size === 0) throw invalidDigest(`Digest is SHA-256 or SHA-512, not ${unknown[0]}`);
}

function invalidDigest(text: string) {
  return signatureInvalid(text, "Digest");
}

type SignedText = {
  readonly algorithm: string;
  readonly signature: Uint8Array;
  readonly signed: Uint8Array;
};

/**
 * What the parameter `algorithm` may say; the key of the certificate decides whether it may say it.
 * hs2019 is not here: in later drafts the key decides what it means, and
 * NextGenPSD2 takes the tenth, where the name of the algorithm says what was done.
 */
const ALGORITHMS = new Map<string, { readonly key: "rsa" | "ec"; readonly hash: Hash }>([
  ["rsa-sha256", { key: "rsa", hash: "sha256" }],
  ["rsa-sha512", { key: "rsa", hash: "sha512" }],
  ["ecdsa-sha256", { key: "ec", hash: "sha256" }],
  ["ecdsa-sha512", { key: "ec", hash: "sha512" }],
]);

/** Names of the Java Cryptography Architecture, which published Java clients send for the same algorithm. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["sha256withrsa", "rsa-sha256"],
  ["sha512withrsa", "rsa-sha512"],
]);

/** The name that the draft has for what `algorithm` says, which is in small letters. */
export function algorithmMeant(algorithm: string): string {
  return ALIASES.get(algorithm) ?? algorithm;
}

/**
 * An ECDSA signature is in DER, as the draft's libraries make it. `likely` are texts to look for
 * when the signature is of another one. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkVerifies(
  { algorithm, signature, signed }: SignedText,
  { publicKey }: Pick<Certificate, "publicKey">,
  likely: Iterable<LikelyText> = [],
): void {
  const known = ALGORITHMS.get(algorithmMeant(algorithm));
  if (known === undefined) {
    const all = [...ALGORITHMS.keys()].join(", ");
    throw signatureInvalid(`algorithm ${truncated(algorithm)} is not one of ${all}`);
  }
  if (publicKey.asymmetricKeyType !== known.key) {
    const key = keyName(publicKey);
    throw signatureInvalid(`algorithm says ${algorithm}, but the key of the certificate is ${key}`);
  }
  if (!verify(known.hash, signed, publicKey, signature)) {
    const mistake = usualMistake({ hash: known.hash, signature, signed }, publicKey, likely);
    const because = mistake === undefined ? "" : `: ${mistake}`;
    throw signatureInvalid(`signature does not verify with the key of the certificate${because}`);
  }
}
