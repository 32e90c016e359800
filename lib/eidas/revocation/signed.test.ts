import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { BitString, ObjectIdentifier, Sequence } from "asn1js";
import { describe, expect, it } from "vitest";
import { readDer } from "../asn1";
import { algorithms } from "../testing/resigned";
import { checkSigned } from "./signed";

const content = new Uint8Array(Buffer.from("what an issuer says"));
const pairs = {
  rsa: generateKeyPairSync("rsa", { modulusLength: 2_048 }),
  ec: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  weakRsa: generateKeyPairSync("rsa", { modulusLength: 1_024 }),
  weakEc: generateKeyPairSync("ec", { namedCurve: "secp256k1" }),
};
type Pair = keyof typeof pairs;

const ids = {
  rsaSha1: "1.2.840.113549.1.1.5",
  rsaSha256: "1.2.840.113549.1.1.11",
  rsaSha384: "1.2.840.113549.1.1.12",
  rsaSha512: "1.2.840.113549.1.1.13",
  ecdsaSha1: "1.2.840.10045.4.1",
  ecdsaSha256: "1.2.840.10045.4.3.2",
  ecdsaSha384: "1.2.840.10045.4.3.3",
  ecdsaSha512: "1.2.840.10045.4.3.4",
};

function statement(pair: Pair, id: keyof typeof ids, unusedBits = 0) {
  const hash = `sha${/\d+$/.exec(id)}`;
  const valueHex = new Uint8Array(sign(hash, content, pairs[pair].privateKey));
  return {
    content,
    algorithm: new Sequence({ value: [new ObjectIdentifier({ value: ids[id] })] }),
    signature: new BitString({ valueHex, unusedBits }),
  };
}

const check = (signed: Parameters<typeof checkSigned>[0], ...keys: readonly KeyObject[]) =>
  checkSigned(signed, keys);

describe("C5: what an issuer has signed", () => {
  it.each([
    ["rsa", "rsaSha256"],
    ["rsa", "rsaSha384"],
    ["rsa", "rsaSha512"],
    ["ec", "ecdsaSha256"],
    ["ec", "ecdsaSha384"],
    ["ec", "ecdsaSha512"],
  ] as const)("is believed with a key of %s and %s", (pair, id) => {
    const { publicKey } = pairs[pair];
    expect(() => check(statement(pair, id), publicKey)).not.toThrow();
    const changed = { ...statement(pair, id), content: content.subarray(1) };
    expect(() => check(changed, publicKey)).toThrow("not signed by whom it has to be");
  });

  it.each([
    ["rsa", "rsaSha1"],
    ["ec", "ecdsaSha1"],
  ] as const)("is not with a key of %s and %s", (pair, id) => {
    const weak = statement(pair, id);
    expect(() => check(weak, pairs[pair].publicKey)).toThrow("not believed");
  });

  it.each([
    ["weakRsa", "rsaSha256"],
    ["weakEc", "ecdsaSha256"],
  ] as const)("C11: is not with a key of %s", (pair, id) => {
    expect(() => check(statement(pair, id), pairs[pair].publicKey)).toThrow("not signed by whom");
  });

  it.each([
    ["rsa", "ecdsaSha256"],
    ["ec", "rsaSha256"],
  ] as const)("is not when it names another algorithm than the key of %s is for", (pair, id) => {
    expect(() => check(statement(pair, id), pairs[pair].publicKey)).toThrow("not signed by whom");
  });

  it("is believed with RSASSA-PSS and SHA-256, not with SHA-1 or a signature of the other kind", () => {
    const made = (as: "pssSha256" | "pssSha1", by: "pssSha256" | "rsaMd5" = "pssSha256") => {
      const key = { key: pairs.rsa.privateKey, ...algorithms[by].options };
      return {
        content,
        algorithm: readDer(Buffer.from(algorithms[as].der, "hex")),
        signature: new BitString({ valueHex: new Uint8Array(sign("sha256", content, key)) }),
      };
    };
    const { publicKey } = pairs.rsa;
    expect(() => check(made("pssSha256"), publicKey)).not.toThrow();
    expect(() => check(made("pssSha1"), publicKey)).toThrow("not believed");
    expect(() => check(made("pssSha256", "rsaMd5"), publicKey)).toThrow("not signed by whom");
    expect(() => check(made("pssSha256"), pairs.ec.publicKey)).toThrow("not signed by whom");
  });

  it("is believed when one of several keys has signed, and not without any", () => {
    const signed = statement("ec", "ecdsaSha256");
    const others = [
      pairs.rsa.publicKey,
      generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey,
    ];
    expect(() => check(signed, ...others, pairs.ec.publicKey)).not.toThrow();
    expect(() => check(signed, ...others)).toThrow("not signed by whom");
    expect(() => check(signed)).toThrow("not signed by whom");
  });

  it("has a signature of whole octets", () => {
    const { publicKey } = pairs.ec;
    expect(() => check(statement("ec", "ecdsaSha256", 1), publicKey)).toThrow("unreadable");
    const { signature: _, ...without } = statement("ec", "ecdsaSha256");
    expect(() => checkSigned({ ...without, signature: undefined }, [publicKey])).toThrow();
  });
});
