import {
  constants,
  createHash,
  type KeyObject,
  publicDecrypt,
  type VerifyKeyObjectInput,
  verify,
} from "node:crypto";
import { decodeBase64 } from "@/lib/eidas/base64";
import type { LikelyText } from "./likely-texts";

export type Hash = "sha256" | "sha512";
type Given = {
  readonly hash: Hash;
  readonly signature: Uint8Array;
  /** The text that should have been signed. */
  readonly signed: Uint8Array;
};

/** An EC signature is verified anew for each text; with more of them a wrong one would be dear. */
const VERIFICATIONS_MAX = 12;

/**
 * Which of the usual mistakes is behind a signature that does not verify, in words that follow
 * "does not verify"; undefined when it is none of them. Asked only for a certificate that is
 * trusted, and after the signature has been refused: nothing in here makes one pass.
 */
export function usualMistake(
  given: Given,
  publicKey: KeyObject,
  likely: Iterable<LikelyText>,
): string | undefined {
  return publicKey.asymmetricKeyType === "rsa"
    ? rsaMistake(given, publicKey, likely)
    : ecMistake(given, publicKey, likely);
}

/** An RSA signature says which hash it covers: opened once, it is compared with any number of texts. */
function rsaMistake(given: Given, publicKey: KeyObject, likely: Iterable<LikelyText>): string {
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

function unopened({ hash, signature, signed }: Given, key: KeyObject): string {
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
  { hash, signature, signed }: Given,
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
