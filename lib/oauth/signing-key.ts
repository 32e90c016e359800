import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { JWK } from "oidc-provider";

export const SIGNING_ALGORITHM = "ES256";

export type SigningKey = { readonly publicKey: KeyObject; readonly privateJwk: JWK };

/** The key that signs access tokens, from PEM. Throws unless it is an EC private key on P-256. */
export function readSigningKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new Error("the signing key of access tokens must be an EC key on P-256");
  }
  const privateJwk = { ...key.export({ format: "jwk" }), use: "sig", alg: SIGNING_ALGORITHM };
  return { publicKey: createPublicKey(key), privateJwk };
}
