import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { makeRsaKeys } from "@/lib/sandbox/key-pairs";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from "@/lib/sandbox/x509";
import { type CorpusCertificate, invalid, qseal, qwac } from "./corpus-row";
import { signedByRsa } from "./issuing";

const basicConstraints = new BasicConstraintsExtension(true, undefined, true);
const enciphering = new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true);
const nonRepudiation = new KeyUsagesExtension(KeyUsageFlags.nonRepudiation, true);
const ofServers = new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1"]);
const authority = invalid("certificate is a CA certificate");

/** What the key may be used for, as the issuer says. */
export const purposes: readonly CorpusCertificate[] = [
  qwac(
    "C4: a CA's certificate of the believed CA",
    { extensions: { basicConstraints } },
    authority,
  ),
  {
    name: "C4: the believed CA's own certificate",
    as: "QWAC",
    make: ({ anchors }) => anchors[0]?.x509.raw ?? new Uint8Array(),
    verdict: authority,
  },
  {
    name: "C4: the believed CA's own certificate as seal",
    as: "QSealC",
    make: ({ anchors }) => anchors[0]?.x509.raw ?? new Uint8Array(),
    verdict: authority,
  },
  qwac(
    "C8: with no key usage",
    { without: "keyUsage" },
    invalid("certificate lacks key usage digitalSignature; it has none"),
  ),
  qwac(
    "C8: for enciphering only",
    { extensions: { keyUsage: enciphering } },
    invalid("certificate lacks key usage digitalSignature; it has keyEncipherment"),
  ),
  qwac(
    "C8: for nonRepudiation only, as a seal may be",
    { extensions: { keyUsage: nonRepudiation } },
    invalid("certificate lacks key usage digitalSignature; it has nonRepudiation"),
  ),
  qwac(
    "C8: for TLS servers only",
    { extensions: { extendedKeyUsage: ofServers } },
    invalid(
      "certificate lacks extended key usage clientAuth, 1.3.6.1.5.5.7.3.2; it has 1.3.6.1.5.5.7.3.1",
    ),
  ),
  qseal(
    "C8: a seal for enciphering only",
    { extensions: { keyUsage: enciphering } },
    invalid(
      "certificate lacks key usage digitalSignature or nonRepudiation; it has keyEncipherment",
    ),
  ),
];

const weakKey = (key: string) =>
  invalid(
    `certificate has a weak key: ${key}; RSA of 2048 to 8192 bits and EC on P-256, P-384 or P-521 are accepted`,
  );
const weakSignature = (made: string) =>
  invalid(`certificate has a weak signature: ${made}; SHA-256, SHA-384 and SHA-512 are accepted`);

function holding(name: string, key: () => KeyObject, called: string): CorpusCertificate {
  return {
    name: `C11: a key ${name}`,
    as: "QWAC",
    make: ({ qwac: issue }) => {
      const der = key().export({ type: "spki", format: "der" });
      return issue({ publicKey: new Uint8Array(der) });
    },
    verdict: weakKey(called),
  };
}

/** Keys and signatures of yesterday, and some that only take long. */
export const weak: readonly CorpusCertificate[] = [
  {
    name: "C11: an RSA key of 1024 bits",
    as: "QWAC",
    make: async ({ qwac: issue }) => issue({ publicKey: (await makeRsaKeys(1_024)).publicKey }),
    verdict: weakKey("RSA of 1024 bits"),
  },
  {
    name: "C11: a seal's RSA key of 1024 bits",
    as: "QSealC",
    make: async ({ qseal: issue }) => issue({ publicKey: (await makeRsaKeys(1_024)).publicKey }),
    verdict: weakKey("RSA of 1024 bits"),
  },
  holding("of 8200 bits, which takes long to verify with", () => rsaKey(8_200), "RSA of 8200 bits"),
  holding(
    "whose public exponent is 1: whatever is sent is its own signature",
    () => rsaKey(2_048, 1),
    "RSA of 2048 bits with the public exponent 1",
  ),
  holding(
    "whose public exponent is 3",
    () => rsaKey(2_048, 3),
    "RSA of 2048 bits with the public exponent 3",
  ),
  holding("on a curve that is not of NIST", () => ecKey("secp256k1"), "EC on secp256k1"),
  holding("of Ed25519", () => generateKeyPairSync("ed25519").publicKey, "ed25519"),
  holding(
    "for RSASSA-PSS only",
    () => generateKeyPairSync("rsa-pss", { modulusLength: 2_048 }).publicKey,
    "rsa-pss",
  ),
  qwac("C11: signed with ECDSA and SHA-1", { hash: "SHA-1" }, weakSignature("ECDSA and SHA-1")),
  qseal(
    "C11: a seal signed with ECDSA and SHA-1",
    { hash: "SHA-1" },
    weakSignature("ECDSA and SHA-1"),
  ),
  {
    name: "C11: signed with RSA and MD5",
    as: "QWAC",
    make: (issuing) => signedByRsa(issuing, "rsaMd5"),
    verdict: weakSignature("RSA and MD5"),
  },
  {
    name: "C11: signed with RSA and SHA-1",
    as: "QWAC",
    make: (issuing) => signedByRsa(issuing, "rsaSha1"),
    verdict: weakSignature("RSA and SHA-1"),
  },
  {
    name: "C11: signed with RSASSA-PSS and SHA-1",
    as: "QWAC",
    make: (issuing) => signedByRsa(issuing, "pssSha1"),
    verdict: weakSignature("RSASSA-PSS and a hash that is not accepted"),
  },
];

function ecKey(namedCurve: string): KeyObject {
  return generateKeyPairSync("ec", { namedCurve }).publicKey;
}

function rsaKey(bits: number, exponent = 65_537): KeyObject {
  const n = Buffer.alloc(bits / 8, 0xff).toString("base64url");
  const e = Buffer.from(exponent.toString(16).padStart(6, "0"), "hex").toString("base64url");
  return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
}
