import { PemConverter } from "./x509";

/** RSA is what most TPPs' certificates hold; its hash is chosen when the key is made. */
export function makeRsaKeys(
  bits = 2_048,
  hash: "SHA-1" | "SHA-256" = "SHA-256",
): Promise<CryptoKeyPair> {
  const publicExponent = Uint8Array.of(1, 0, 1);
  const algorithm = { name: "RSASSA-PKCS1-v1_5", modulusLength: bits, publicExponent, hash };
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

const ecdsaP256 = { name: "ECDSA", namedCurve: "P-256" } as const;

export function makeEcKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ecdsaP256, true, ["sign", "verify"]);
}

/** PKCS #8 as PEM. */
export async function privateKeyPem(key: CryptoKey): Promise<string> {
  return `${PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY")}\n`;
}

/** The private key of a P-256 pair. Throws when the PEM holds anything else. */
export function readEcPrivateKey(pem: string): Promise<CryptoKey> {
  const [der] = PemConverter.decode(pem);
  if (der === undefined) throw new Error("no PEM private key");
  return crypto.subtle.importKey("pkcs8", der, ecdsaP256, true, ["sign"]);
}
