import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { objectId, sequence } from "@/lib/sandbox/der";
import { makeRsaKeys } from "@/lib/sandbox/key-pairs";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from "@/lib/sandbox/x509";
import { checkQwac } from "./qwac";
import { now, qcExtension, signedByRsa } from "./testing/issuing";
import { refusal } from "./testing/refusal";
import { nodeKey, resigned } from "./testing/resigned";
import { currentIssuing, extension, issueForTests, refusesEach, told } from "./testing/unfit";

issueForTests();

const unreadable = "certificate is unreadable";
const weakKey = "certificate has a weak key";
const weakSignature = "certificate has a weak signature";

describe("what a QWAC's key is for", () => {
  const basicConstraints = new BasicConstraintsExtension(true, undefined, true);
  const keyUsage = new KeyUsagesExtension(KeyUsageFlags.keyEncipherment, true);
  const extendedKeyUsage = new ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.1"]);
  const mayNotSign = "certificate lacks key usage digitalSignature";
  refusesEach([
    ["C4: to be a CA", { extensions: { basicConstraints } }, "certificate is a CA certificate"],
    ["not said", { without: "keyUsage" }, mayNotSign],
    ["to encipher only", { extensions: { keyUsage } }, mayNotSign],
    [
      "to be a TLS server only",
      { extensions: { extendedKeyUsage } },
      "certificate lacks extended key usage clientAuth",
    ],
  ]);
});

describe("the encoding", () => {
  const statement = Buffer.concat([sequence(), Buffer.of(5, 0)]);
  // Policies are read for their identifiers alone: only the limits stand against these two.
  const deep = sequence(sequence(objectId("1.2.3"), nested(30)));
  const wide = sequence(...Array<Uint8Array>(1_500).fill(sequence(objectId("1.2.3"))));
  refusesEach([
    ["C10: 2000 values one within another", { extensions: qcExtension(nested(2_000)) }, unreadable],
    [
      "C10: a policy nested 30 deep",
      { extensions: { certificatePolicies: policies(deep) } },
      unreadable,
    ],
    ["C10: 1500 policies", { extensions: { certificatePolicies: policies(wide) } }, unreadable],
    ["C10: octets after an extension's value", { extensions: qcExtension(statement) }, unreadable],
    [
      "C10: an extension that is no DER",
      { extensions: { certificatePolicies: extension("2.5.29.32", false, "ff") } },
      unreadable,
    ],
    [
      "a critical extension that is not understood",
      { extensions: { other: extension("1.2.3.4", true, "0500") } },
      "certificate has a critical extension not understood: 1.2.3.4",
    ],
    [
      "an extension twice",
      { extensions: { again: extension("1.3.6.1.5.5.7.1.3", false, "3000") } },
      "certificate has an extension twice",
    ],
  ]);

  it.each([
    ["version 1", { 0: "a003020100" }, unreadable],
    ["serial number 0", { 1: "020100" }, "certificate has an unusable serial number"],
    ["serial number -1", { 1: "0201ff" }, "certificate has an unusable serial number"],
    [
      "a serial number of 22 octets",
      { 1: `021601${"00".repeat(21)}` },
      "certificate has an unusable serial number",
    ],
    ["a 29th of February", { 4: validity("270101000000Z", "270229000000Z") }, unreadable],
    ["a key of an unknown algorithm", { 6: "300b300506032a0304030200ff" }, unreadable],
    ["a time zone", { 4: validity("270101000000+0000", "280101000000Z") }, unreadable],
  ])("C10: %s", async (_name, parts, text) => {
    const replaced = Object.fromEntries(
      Object.entries(parts).map(([index, hex]) => [index, Buffer.from(hex, "hex")]),
    );
    const { authority, qwac } = currentIssuing();
    const der = resigned(await qwac(), await nodeKey(authority.keys), replaced);
    expect(told(der)).toEqual({ code: "CERTIFICATE_INVALID", text });
  });
});

describe("cryptography of yesterday", () => {
  refusesEach([["C11: signed with ECDSA and SHA-1", { hash: "SHA-1" }, weakSignature]]);

  it("C11: an RSA key of 1024 bits", async () => {
    const { publicKey } = await makeRsaKeys(1_024);
    expect(told(await currentIssuing().qwac({ publicKey }))?.text).toBe(weakKey);
  });

  it.each([
    ["on a curve that is not of NIST", generateKeyPairSync("ec", { namedCurve: "secp256k1" })],
    ["of Ed25519", generateKeyPairSync("ed25519")],
    ["for RSASSA-PSS only", generateKeyPairSync("rsa-pss", { modulusLength: 2_048 })],
    ["of 8200 bits, which takes long to verify with", { publicKey: rsaKey(8_200) }],
  ])("C11: a key %s", async (_name, pair) => {
    const publicKey = new Uint8Array(pair.publicKey.export({ type: "spki", format: "der" }));
    expect(told(await currentIssuing().qwac({ publicKey }))?.text).toBe(weakKey);
  });

  it.each(["rsaMd5", "pssSha1"] as const)("C11: signed with %s", async (algorithm) => {
    const { der, anchors } = await signedByRsa(currentIssuing(), algorithm);
    expect(refusal(() => checkQwac(der, anchors, now))?.text).toBe(weakSignature);
  });
});

function rsaKey(bits: number): KeyObject {
  const n = Buffer.alloc(bits / 8, 0xff).toString("base64url");
  return createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" });
}

function policies(content: Uint8Array) {
  return extension("2.5.29.32", false, Buffer.from(content).toString("hex"));
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
