import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { CompactSign } from "jose";
import type { guardedFetch } from "./guarded-fetch";
import type { SendWebhook } from "./webhook-sender";

/** PEM: the bank's QSealC, with the certificates of its issuers behind it where there are any, and its key. */
export type BankSeal = { readonly certificatePem: string; readonly keyPem: string };

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const ALGORITHM_OF_CURVE: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

/**
 * Posts a resource's status to its TPP, sealed by a JWS over the body with the body left out (RFC 7515 appendix F). Its header
 * has the QSealC, the URI and the message's id, so that a notification is good at one place and is known when it comes again.
 * Throws an Error when the key is not the certificate's, and for each notification that is not answered with a 2xx.
 */
export function notificationSender(
  { certificatePem, keyPem }: BankSeal,
  fetch: ReturnType<typeof guardedFetch>,
): SendWebhook {
  const chain = [...certificatePem.matchAll(PEM_CERTIFICATE)].map(
    ([pem]) => new X509Certificate(pem),
  );
  const key = createPrivateKey(keyPem);
  if (chain[0]?.checkPrivateKey(key) !== true) throw new Error("the key is not the QSealC's");
  const x5c = chain.map(({ raw }) => raw.toString("base64"));
  const alg = algorithmOf(key);
  return async ({ messageId, data, url }, now) => {
    if (typeof url !== "string") throw new Error("a notification without a URI");
    const bytes = Buffer.from(JSON.stringify(data));
    const iat = Math.floor(now.getTime() / 1_000);
    const jws = await new CompactSign(bytes)
      .setProtectedHeader({ alg, x5c, iat, jti: messageId, url })
      .sign(key);
    const headers = {
      "x-request-id": messageId,
      "x-jws-signature": jws.replace(/\.[^.]*\./, ".."),
    };
    await fetch({ url, body: { bytes, type: "application/json" }, headers, bytesMax: 0 });
  };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { namedCurve = "none" } = asymmetricKeyDetails ?? {};
  const alg = asymmetricKeyType === "rsa" ? "PS256" : ALGORITHM_OF_CURVE[namedCurve];
  if (alg === undefined)
    throw new Error("the QSealC has neither an RSA key nor one on a NIST curve");
  return alg;
}
