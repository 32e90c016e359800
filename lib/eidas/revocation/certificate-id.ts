import { createHash } from "node:crypto";
import {
  type BaseBlock,
  BitString,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
} from "asn1js";
import { elements, integer, objectId, octets, readDer, unreadable } from "../asn1";
import type { Issued } from "./status";

/** By digest algorithm, as responders may answer in another one than they were asked in. */
const digests: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
};
const SHA_1 = "1.3.14.3.2.26";

/**
 * RFC 6960 4.1.1: a certificate by hashes of its issuer's name and key and by its serial number.
 * SHA-1 names it here and protects nothing: every responder knows it (RFC 5019 2.1.1).
 */
export function certificateId({ certificate, issuer }: Issued): Sequence {
  const { nameHash, keyHash } = hashesOf(issuer.x509.raw, "sha1");
  return new Sequence({
    value: [
      new Sequence({ value: [new ObjectIdentifier({ value: SHA_1 })] }),
      new OctetString({ valueHex: nameHash }),
      new OctetString({ valueHex: keyHash }),
      Integer.fromBigInt(certificate.serialNumber),
    ],
  });
}

/** Whether the CertID of an answer means this very certificate. */
export function isIdOf(value: BaseBlock | undefined, { certificate, issuer }: Issued): boolean {
  const [algorithm, nameHash, keyHash, serialNumber] = elements(value);
  const digest = digests[objectId(elements(algorithm)[0])];
  if (digest === undefined) return false;
  const own = hashesOf(issuer.x509.raw, digest);
  return (
    integer(serialNumber).toBigInt() === certificate.serialNumber &&
    Buffer.from(own.nameHash).equals(octets(nameHash)) &&
    Buffer.from(own.keyHash).equals(octets(keyHash))
  );
}

/** Of the subject as it is encoded, and of the key's bits alone (RFC 6960 4.1.1). */
function hashesOf(issuer: Uint8Array, digest: string) {
  const [tbs] = elements(readDer(issuer));
  const [, , , , , subject, keyInfo] = elements(tbs);
  const key = elements(keyInfo)[1];
  if (subject === undefined || !(key instanceof BitString)) throw unreadable();
  const hash = (bytes: Uint8Array) => new Uint8Array(createHash(digest).update(bytes).digest());
  return {
    nameHash: hash(subject.valueBeforeDecodeView),
    keyHash: hash(key.valueBlock.valueHexView),
  };
}
