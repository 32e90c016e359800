import { constants, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { BitString, fromBER, Sequence } from "asn1js";
import { privateKeyPem } from "@/lib/sandbox/key-pairs";

/** AlgorithmIdentifiers as DER, and how OpenSSL signs with them. */
export const algorithms = {
  ecdsaSha256: { der: "300a06082a8648ce3d040302", hash: "sha256", options: {} },
  rsaMd5: { der: "300d06092a864886f70d0101040500", hash: "md5", options: {} },
  rsaSha1: { der: "300d06092a864886f70d0101050500", hash: "sha1", options: {} },
  pssSha1: {
    der: "300d06092a864886f70d01010a3000",
    hash: "sha1",
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 },
  },
  pssSha256: {
    der: "304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120",
    hash: "sha256",
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  },
} as const;

export type SigningAlgorithm = keyof typeof algorithms;

export async function nodeKey({ privateKey }: CryptoKeyPair): Promise<KeyObject> {
  return createPrivateKey(await privateKeyPem(privateKey));
}

/** The parts of tbsCertificate of a certificate, to be changed in place. */
export function tbsOf(der: Uint8Array): Sequence {
  const [tbs] = sequenceOf(der).valueBlock.value;
  if (!(tbs instanceof Sequence)) throw new Error("no certificate");
  return tbs;
}

/** A certificate around these bytes, signed with the issuer's key: an issuer that writes odd things. */
export function signedDer(
  tbs: Uint8Array,
  key: KeyObject,
  algorithm: SigningAlgorithm,
): Uint8Array {
  const { der, hash, options } = algorithms[algorithm];
  const signature = sign(hash, tbs, { key, ...options });
  const bits = new BitString({ valueHex: new Uint8Array(signature).buffer }).toBER();
  const content = Buffer.concat([tbs, Buffer.from(der, "hex"), Buffer.from(bits)]);
  const length = Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff]);
  return new Uint8Array(Buffer.concat([length, content]));
}

/** The certificate with some parts of tbsCertificate replaced, by their index, and signed again. */
export function resigned(
  der: Uint8Array,
  key: KeyObject,
  replaced: Readonly<Record<number, Uint8Array>>,
  algorithm: SigningAlgorithm = "ecdsaSha256",
): Uint8Array {
  const tbs = tbsOf(der);
  const all = { 2: Buffer.from(algorithms[algorithm].der, "hex"), ...replaced };
  for (const [index, part] of Object.entries(all)) {
    tbs.valueBlock.value[Number(index)] = fromBER(new Uint8Array(part)).result;
  }
  return signedDer(new Uint8Array(tbs.toBER()), key, algorithm);
}

function sequenceOf(der: Uint8Array): Sequence {
  const { result } = fromBER(new Uint8Array(der), { parseEmbedded: false });
  if (!(result instanceof Sequence)) throw new Error("no certificate");
  return result;
}
