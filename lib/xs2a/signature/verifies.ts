import { verify } from "node:crypto";
import type { Certificate } from "@/lib/eidas/certificate";
import { signatureInvalid } from "./signature-invalid";

type Signed = {
  readonly algorithm: string;
  readonly signature: Uint8Array;
  readonly signed: Uint8Array;
};

/** What the parameter `algorithm` may say; the key of the certificate decides whether it may say it. */
const ALGORITHMS: Readonly<Record<string, { readonly key: "rsa" | "ec"; readonly hash: string }>> =
  {
    "rsa-sha256": { key: "rsa", hash: "sha256" },
    "rsa-sha512": { key: "rsa", hash: "sha512" },
    "ecdsa-sha256": { key: "ec", hash: "sha256" },
    "ecdsa-sha512": { key: "ec", hash: "sha512" },
  };

/** Rejects with 401 SIGNATURE_INVALID. */
export function checkVerifies(
  { algorithm, signature, signed }: Signed,
  { publicKey }: Pick<Certificate, "publicKey">,
): void {
  const known = ALGORITHMS[algorithm];
  if (known === undefined) {
    throw signatureInvalid(`algorithm is one of ${Object.keys(ALGORITHMS).join(", ")}`);
  }
  if (publicKey.asymmetricKeyType !== known.key) {
    throw signatureInvalid(`algorithm ${algorithm} does not fit the key of the certificate`);
  }
  if (!verify(known.hash, signed, publicKey, signature)) {
    throw signatureInvalid("signature does not verify with the key of the certificate");
  }
}
