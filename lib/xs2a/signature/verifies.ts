import { verify } from "node:crypto";
import type { Certificate } from "@/lib/eidas/certificate";
import { shown } from "@/lib/eidas/shown";
import { keyName } from "@/lib/eidas/strength";
import type { LikelyText } from "./likely-texts";
import { signatureInvalid } from "./signature-invalid";
import { type Hash, usualMistake } from "./usual-mistakes";

type Signed = {
  /** In small letters. */
  readonly algorithm: string;
  readonly signature: Uint8Array;
  readonly signed: Uint8Array;
};

/**
 * What the parameter `algorithm` may say; the key of the certificate decides whether it may say it.
 * hs2019 is not here: later drafts let it stand for whatever the key was agreed to mean, and
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
  { algorithm, signature, signed }: Signed,
  { publicKey }: Pick<Certificate, "publicKey">,
  likely: Iterable<LikelyText> = [],
): void {
  const known = ALGORITHMS.get(algorithmMeant(algorithm));
  if (known === undefined) {
    const all = [...ALGORITHMS.keys()].join(", ");
    throw signatureInvalid(`algorithm ${shown(algorithm)} is not one of ${all}`);
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
