import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Certificates in PEM of those who are trusted to issue others. Throws where there is none: Node takes an empty text, as of
 * a file that is just being written, for every public authority.
 */
export function readAuthorities(file: string): string {
  return checkCertificates(readFileSync(file, "utf8"));
}

/** The text that it is given; throws when it does not begin with a certificate in PEM. */
export function checkCertificates(text: string): string {
  return new X509Certificate(text) && text;
}

/** A certificate and its key, as text in PEM. Throws as `checkPair` does. */
export function readPair(certFile: string, keyFile: string) {
  const [cert, key] = [readFileSync(certFile, "utf8"), readFileSync(keyFile, "utf8")];
  checkPair(cert, key);
  return { cert, key };
}

/** Throws unless the key is the first certificate's: Node takes none at all, and a key of another kind, without a word. */
export function checkPair(cert: string, key: string): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error("the key is not the certificate's");
  }
}
