import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  psd2Statement,
  qcCompliance,
  qcType,
  type WrittenRole,
  writtenRole,
} from "@/lib/sandbox/tpp-certificates";
import {
  BasicConstraintsExtension,
  CertificatePolicyExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  objectId,
  sequence,
} from "@/lib/sandbox/x509";
import type { TrustAnchors } from "../trust";
import {
  type Changes,
  type Issuing,
  nodeKey,
  qcExtension,
  resigned,
  type SigningAlgorithm,
  signedByRsa,
} from "./issuing";

/** A certificate, how it comes to be, what it is shown as, and what the bank says of it. */
export type CorpusCertificate = {
  readonly name: string;
  readonly as: "QWAC" | "QSealC";
  readonly make: (issuing: Issuing) => Made | Promise<Made>;
  readonly verdict: Verdict;
};

/** The DER, with the issuers to believe where they are not those of everybody else. */
export type Made = Uint8Array | { readonly der: Uint8Array; readonly anchors: TrustAnchors };

type Verdict = "accepted" | { readonly code: string; readonly text: string };

/** Issued by the trusted CA from a good QWAC's parts, with these changes. */
export function qwac(
  name: string,
  changes: Changes,
  verdict: Verdict = "accepted",
): CorpusCertificate {
  return { name, as: "QWAC", make: (issuing) => issuing.qwac(changes), verdict };
}

/** The same from a good QSealC's parts, for the TPP that the good QWAC names. */
export function qseal(
  name: string,
  changes: Changes,
  verdict: Verdict = "accepted",
): CorpusCertificate {
  return { name, as: "QSealC", make: (issuing) => issuing.qseal(changes), verdict };
}

/** A QWAC of a CA with an RSA key. */
export function ofRsa(
  name: string,
  algorithm: SigningAlgorithm,
  verdict: Verdict = "accepted",
): CorpusCertificate {
  return { name, as: "QWAC", make: (issuing) => signedByRsa(issuing, algorithm), verdict };
}

export function invalid(text: string): Verdict {
  return { code: "CERTIFICATE_INVALID", text };
}

export function outOfPeriod(text: string): Verdict {
  return { code: "CERTIFICATE_EXPIRED", text };
}

const unreadable = invalid("certificate is unreadable");

export function extension(id: string, critical: boolean, hex: string): Extension {
  return new Extension(id, critical, Buffer.from(hex, "hex"));
}

const unusableSerial = invalid(
  "certificate has an unusable serial number: a positive one of at most 20 octets is needed",
);
const statement = Buffer.concat([sequence(), Buffer.of(5, 0)]);
// Policies are read for their identifiers alone: only the limits stand against these two.
const deep = sequence(sequence(objectId("1.2.3"), nested(30)));
const wide = sequence(...Array<Uint8Array>(1_500).fill(sequence(objectId("1.2.3"))));

/** Each signed by the trusted CA: an issuer can err, and a parser is attacked from inside. */
export const oddlyEncoded: readonly CorpusCertificate[] = [
  qwac(
    "C10: 2000 values one within another",
    { extensions: qcExtension(nested(2_000)) },
    unreadable,
  ),
  qwac("C10: a policy nested 30 deep", { extensions: policies(deep) }, unreadable),
  qwac("C10: 1500 policies", { extensions: policies(wide) }, unreadable),
  qwac(
    "C10: octets after an extension's value",
    { extensions: qcExtension(statement) },
    unreadable,
  ),
  qwac("C10: an extension that is no DER", { extensions: policies(Buffer.of(0xff)) }, unreadable),
  qwac(
    "C8: a critical extension that is not understood",
    { extensions: { other: extension("1.2.3.4", true, "0500") } },
    invalid("certificate has a critical extension not understood: 1.2.3.4"),
  ),
  qwac(
    "C8: an extension twice",
    { extensions: { again: extension("1.3.6.1.5.5.7.1.3", false, "3000") } },
    invalid("certificate has the extension 1.3.6.1.5.5.7.1.3 twice"),
  ),
  rewritten("version 1", { 0: "a003020100" }, invalid("certificate is not of version 3")),
  rewritten("serial number 0", { 1: "020100" }, unusableSerial),
  rewritten("serial number -1", { 1: "0201ff" }, unusableSerial),
  rewritten("a serial number of 22 octets", { 1: `021601${"00".repeat(21)}` }, unusableSerial),
  rewritten("a 29th of February", { 4: validity("270101000000Z", "270229000000Z") }, unreadable),
  rewritten("a time zone", { 4: validity("270101000000+0000", "280101000000Z") }, unreadable),
  rewritten("a key of an unknown algorithm", { 6: "300b300506032a0304030200ff" }, unreadable),
];

/** A good QWAC with parts of its content replaced, by their place, and signed again. */
function rewritten(
  what: string,
  parts: Readonly<Record<number, string>>,
  verdict: CorpusCertificate["verdict"],
): CorpusCertificate {
  const replaced = Object.fromEntries(
    Object.entries(parts).map(([index, hex]) => [index, Buffer.from(hex, "hex")]),
  );
  return {
    name: `C10: ${what}`,
    as: "QWAC",
    make: async ({ authority, qwac: issue }) =>
      resigned(await issue(), await nodeKey(authority.keys), replaced),
    verdict,
  };
}

function policies(content: Uint8Array) {
  const hex = Buffer.from(content).toString("hex");
  return { certificatePolicies: extension("2.5.29.32", false, hex) };
}

function nested(depth: number): Uint8Array {
  let value = sequence();
  for (let level = 1; level < depth; level += 1) value = sequence(value);
  return value;
}

function validity(...times: readonly string[]): string {
  const written = times.map((time) =>
    Buffer.concat([Buffer.of(0x17, time.length), Buffer.from(time)]),
  );
  return Buffer.from(sequence(...written)).toString("hex");
}

const basicConstraints = new BasicConstraintsExtension(true, undefined, true);
const enciphering = new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true);
const nonRepudiation = new KeyUsagesExtension(KeyUsageFlags.nonRepudiation, true);
const ofServers = new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1"]);
const authority = invalid("certificate is a CA certificate");

const itsOwn = ({ anchors }: Issuing): Made => anchors[0]?.x509.raw ?? new Uint8Array();

/** What the key may be used for, as the issuer says. */
export const purposes: readonly CorpusCertificate[] = [
  qwac("C4: a CA's certificate of the trusted CA", { extensions: { basicConstraints } }, authority),
  { name: "C4: the trusted CA's own certificate", as: "QWAC", make: itsOwn, verdict: authority },
  { name: "C4: its own certificate as seal", as: "QSealC", make: itsOwn, verdict: authority },
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
    make: ({ qwac: issue }) => issue({ publicKey: spki(key()) }),
    verdict: weakKey(called),
  };
}

function spki(key: KeyObject) {
  return new Uint8Array(key.export({ type: "spki", format: "der" }));
}

const short = spki(rsaKey(1_024));

/** Keys and signatures of yesterday, and some that only take long. */
export const weak: readonly CorpusCertificate[] = [
  qwac("C11: an RSA key of 1024 bits", { publicKey: short }, weakKey("RSA of 1024 bits")),
  qseal("C11: a seal's RSA key of 1024 bits", { publicKey: short }, weakKey("RSA of 1024 bits")),
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
  ofRsa("C11: signed with RSA and MD5", "rsaMd5", weakSignature("RSA and MD5")),
  ofRsa("C11: signed with RSA and SHA-1", "rsaSha1", weakSignature("RSA and SHA-1")),
  ofRsa(
    "C11: signed with RSASSA-PSS and SHA-1",
    "pssSha1",
    weakSignature("RSASSA-PSS and a hash that is not accepted"),
  ),
];

function ecKey(namedCurve: string): KeyObject {
  return generateKeyPairSync("ec", { namedCurve }).publicKey;
}

function rsaKey(bits: number, exponent = 65_537): KeyObject {
  const n = Buffer.alloc(bits / 8, 0xff).toString("base64url");
  const e = Buffer.from(exponent.toString(16).padStart(6, "0"), "hex").toString("base64url");
  return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
}

const ai = writtenRole("PSP_AI");
const psd2 = (...roles: readonly WrittenRole[]) => psd2Statement(roles, "Authority", "RO-NBR");
const listing = (...all: readonly Uint8Array[]): Changes => ({
  extensions: qcExtension(sequence(...all)),
});
/** A list that is good up to its PSD2 statement. */
const stating = (statement: Uint8Array): Changes =>
  listing(qcCompliance(), qcType("web"), statement);
export const underPolicy = (policy: string): Changes => ({
  extensions: {
    ...qcExtension(psd2(ai)),
    certificatePolicies: new CertificatePolicyExtension([policy]),
  },
});
const notWeb = (own: string) => invalid(`certificate is not of QcType web but of ${own}`);
const notSeal = (own: string) => invalid(`certificate is not of QcType eseal but of ${own}`);
const noStatements = invalid("certificate has no qcStatements");

const types: readonly CorpusCertificate[] = [
  qwac("C8: no qcStatements", { without: "qcStatements" }, noStatements),
  qwac("C8: no QcType", listing(qcCompliance(), psd2(ai)), notWeb("none")),
  qwac("C8: QcType esign", listing(qcCompliance(), qcType("esign"), psd2(ai)), notWeb("esign")),
  qwac(
    "C8: QcTypes web and eseal",
    listing(qcCompliance(), qcType("web", "eseal"), psd2(ai)),
    notWeb("web and eseal"),
  ),
  qwac(
    "C8: a QcType twice",
    listing(qcCompliance(), qcType("eseal"), qcType("web"), psd2(ai)),
    invalid("certificate has the qcStatement 0.4.0.1862.1.6 twice"),
  ),
  qwac("C8: a bare statement, policy of seals", underPolicy("0.4.0.194112.1.1"), notWeb("eseal")),
  qwac("C8: a bare statement, policy of no type", underPolicy("2.5.29.32.0"), notWeb("none")),
  qwac(
    "C8: not declared as qualified",
    listing(qcType("web"), psd2(ai)),
    invalid("certificate has no QcCompliance statement"),
  ),
  {
    name: "C8: a QSealC in place of a QWAC",
    as: "QWAC",
    make: (issuing) => issuing.qseal(),
    verdict: notWeb("eseal"),
  },
  {
    name: "C8: a QWAC in place of a QSealC",
    as: "QSealC",
    make: (issuing) => issuing.qwac(),
    verdict: notSeal("web"),
  },
  qseal("C8: a seal without qcStatements", { without: "qcStatements" }, noStatements),
  qseal(
    "C8: a person's signature in place of a seal",
    listing(qcCompliance(), qcType("esign"), psd2(ai)),
    notSeal("esign"),
  ),
  qseal(
    "C8: a seal without PSD2 statement",
    listing(qcCompliance(), qcType("eseal")),
    invalid("certificate has no PSD2 statement"),
  ),
];

const unusable = (what: string) =>
  invalid(
    `PSD2 statement has an unusable ${what}: it is empty, has more than 256 characters or one that is none to see`,
  );

const statements: readonly CorpusCertificate[] = [
  qwac(
    "C8: no PSD2 statement",
    listing(qcCompliance(), qcType("web")),
    invalid("certificate has no PSD2 statement"),
  ),
  qwac(
    "C8: the PSD2 statement twice",
    listing(qcCompliance(), qcType("web"), psd2(ai), psd2(ai)),
    invalid("certificate has the qcStatement 0.4.0.19495.2 twice"),
  ),
  qwac(
    "C8: a PSD2 statement without content",
    stating(sequence(objectId("0.4.0.19495.2"))),
    unreadable,
  ),
  qwac(
    "C8: the identifier of PSP_AI with the name of PSP_PI",
    stating(psd2({ id: ai.id, name: "PSP_PI" })),
    invalid(
      "PSD2 role identifier and name disagree: 0.4.0.19495.1.3 is PSP_AI, its name is PSP_PI",
    ),
  ),
  qwac(
    "C8: an unknown role",
    stating(psd2({ id: "0.4.0.19495.1.5", name: "PSP_XX" })),
    invalid("PSD2 statement has an unknown role: 0.4.0.19495.1.5"),
  ),
  qwac("C8: a role twice", stating(psd2(ai, ai)), invalid("PSD2 statement has a role twice")),
  qwac("C8: no role", stating(psd2()), invalid("PSD2 statement has no role")),
  qwac(
    "C8: a line break in nCAName",
    stating(psd2Statement([ai], "A\nB", "RO-NBR")),
    unusable("nCAName"),
  ),
  qwac("C8: an empty nCAId", stating(psd2Statement([ai], "A", "")), unusable("nCAId")),
];

export const unfitStatements = [...types, ...statements];
