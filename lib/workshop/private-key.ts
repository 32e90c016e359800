import { createPrivateKey } from "node:crypto";

const MARK = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
/** Base64 of `-----BEGIN`, as in a key file that was encoded once more. */
const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/=]*/g;
/** As a header carries DER. */
const LONG = /[A-Za-z0-9+/]{80,}={0,2}/g;
/** The private part of a JWK. */
const JWK_PART = /"d"\s*:\s*"[\w-]{20,}"/;
const forms = ["pkcs8", "pkcs1", "sec1"] as const;

/** Whether a private key has been pasted by mistake: in PEM, as base64 of PEM or DER, or as a JWK. */
export function holdsPrivateKey(text: string): boolean {
  const encoded = [...text.matchAll(ENCODED)].map(([base64]) =>
    Buffer.from(base64, "base64").toString("latin1"),
  );
  return (
    [text, ...encoded].some((one) => MARK.test(one)) ||
    JWK_PART.test(text) ||
    [...text.matchAll(LONG)].some(([base64]) => isPrivateKey(Buffer.from(base64, "base64")))
  );
}

function isPrivateKey(key: Buffer): boolean {
  return forms.some((type) => {
    try {
      createPrivateKey({ key, format: "der", type });
      return true;
    } catch {
      return false;
    }
  });
}
