import { createPrivateKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BaseBlock, BitString, fromBER, ObjectIdentifier, Sequence } from "asn1js";

/** What signs answers: the CA of the folder itself. */
export type Signer = { readonly certificate: X509Certificate; readonly key: KeyObject };

const ECDSA_SHA_256 = "1.2.840.10045.4.3.2";

/** Undefined where the sandbox has no CA of its own. */
export async function readSigner(authorityDirectory: string): Promise<Signer | undefined> {
  const read = (name: string) => readFile(join(authorityDirectory, name), "utf8");
  try {
    const [certificate, key] = await Promise.all([read("ca.pem"), read("ca.key")]);
    return { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** RFC 5280 and 6960 want times without fractions of a second. */
export function inSeconds(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1_000) * 1_000);
}

export function algorithm(): Sequence {
  return new Sequence({ value: [new ObjectIdentifier({ value: ECDSA_SHA_256 })] });
}

/** Content, algorithm and signature: the form of certificates, lists and OCSP responses alike. */
export function signed(content: Sequence, { key }: Signer): Sequence {
  const bytes = new Uint8Array(content.toBER());
  const signature = new Uint8Array(sign("sha256", bytes, key));
  return new Sequence({ value: [content, algorithm(), new BitString({ valueHex: signature })] });
}

/** The CA's name as it is encoded in its certificate. */
export function subjectOf({ certificate }: Signer): BaseBlock {
  const { result } = fromBER(new Uint8Array(certificate.raw), { parseEmbedded: false });
  const tbs = (result as Sequence).valueBlock.value[0] as Sequence;
  const subject = tbs.valueBlock.value[5];
  if (subject === undefined) throw new Error("sandbox CA: its certificate is unreadable");
  return subject;
}
