import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { type Seal, seal } from "../signing";

const ALGORITHMS = {
  rsa: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  },
  ec: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
} as const;

const made: Readonly<Record<keyof typeof ALGORITHMS, Seal>> = {
  rsa: await make("rsa"),
  ec: await make("ec"),
};

/** A self-signed certificate and its key: enough to sign with, trusted by nobody. */
export function sealForTests(kind: keyof typeof ALGORITHMS): Seal {
  return made[kind];
}

async function make(kind: keyof typeof ALGORITHMS): Promise<Seal> {
  const algorithm = ALGORITHMS[kind];
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "C=RO, O=Test Trust Services, CN=Test seal",
    keys,
    signingAlgorithm: algorithm,
  });
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const pem = x509.PemConverter.encode(key, "PRIVATE KEY");
  return seal(certificate.toString("pem"), pem);
}
