import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type BaseBlock, BitString, fromBER, ObjectIdentifier, Sequence } from "asn1js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputs } from "@/lib/testing-inputs";
import { elements, explicit, octets, readDer } from "./asn1";
import { CertificateFault } from "./certificate-fault";
import { readCrl } from "./crl";
import { readOcspResponse } from "./ocsp";
import { checkSigned, type Issued, StatusFault } from "./status-answer";
import { algorithms, signedDer } from "./testing/issuing";
import { mutate, mutations } from "./testing/mutations";
import {
  extensions,
  ocspAnswer,
  revokedStatus,
  signedList,
  startIssuer,
  type TestIssuer,
} from "./testing/revocation";

describe("C5: a signed status answer", () => {
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

  it.each([
    ["rsa", "rsaSha256"],
    ["rsa", "rsaSha384"],
    ["rsa", "rsaSha512"],
    ["ec", "ecdsaSha256"],
    ["ec", "ecdsaSha384"],
    ["ec", "ecdsaSha512"],
  ] as const)("is trusted with a key of %s and %s", (pair, id) => {
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
    expect(() => check(weak, pairs[pair].publicKey)).toThrow("not trusted");
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

  it("is trusted with RSASSA-PSS and SHA-256, not with SHA-1 or another signature algorithm", () => {
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
    expect(() => check(made("pssSha1"), publicKey)).toThrow("not trusted");
    expect(() => check(made("pssSha256", "rsaMd5"), publicKey)).toThrow("not signed by whom");
    expect(() => check(made("pssSha256"), pairs.ec.publicKey)).toThrow("not signed by whom");
  });

  it("is trusted when one of several keys has signed, and not without any", () => {
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

describe("C5: mutated answers", () => {
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  let issuer: TestIssuer;
  let own: Issued;
  let other: Issued;
  /** Each with what it says of the certificate. */
  let good: Uint8Array;
  let revoked: Uint8Array;
  let list: Uint8Array;
  beforeAll(async () => {
    issuer = await startIssuer(now);
    const issued = async () => ({ certificate: await issuer.tpp(), issuer: issuer.certificate });
    [own, other] = [await issued(), await issued()];
    const named = await issuer.responder("named");
    const certificates = [fromBER(pemBytes(await readFile(named.certificate, "utf8"))).result];
    const beside = { issued: other };
    good = ocspAnswer(issuer.signer, { answers: [{ issued: own }, beside], now, certificates });
    const status = revokedStatus(now);
    revoked = ocspAnswer(issuer.signer, { answers: [{ issued: own, status }, beside], now });
    list = signedList(issuer.signer, {
      now,
      entries: [{ serialNumber: 7n, reason: 1 }, { serialNumber: own.certificate.serialNumber }],
      extensions: extensions("2.5.29.20", false),
    });
  });
  afterAll(() => issuer.close());

  const ocspStatus = (der: Uint8Array) => statusOf(() => readOcspResponse(der, own, now).status);
  const listStatus = (der: Uint8Array) =>
    statusOf(() => {
      const { serialNumbers } = readCrl(der, issuer.certificate, now);
      return serialNumbers.has(own.certificate.serialNumber) ? "revoked" : "good";
    });

  /** A fault is an answer; any other error is a crash. */
  function statusOf(read: () => string): string {
    try {
      return read();
    } catch (error) {
      if (error instanceof StatusFault || error instanceof CertificateFault) return "fault";
      throw error;
    }
  }

  /** The same answers every time. */
  const seed = 20_261_121;
  /** So that each of the eight places in a byte has its turn. */
  const STRIDE = 5;

  it("are valid before mutation", () => {
    expect([ocspStatus(good), ocspStatus(revoked), listStatus(list)]).toEqual([
      "good",
      "revoked",
      "revoked",
    ]);
  });

  it("each is read or refused without an exception, and none of a revoked certificate is good", () => {
    fc.assert(
      fc.property(mutations(), (mutation) => {
        expect(["good", "fault"]).toContain(ocspStatus(mutate(good, mutation)));
        expect(["revoked", "fault"]).toContain(ocspStatus(mutate(revoked, mutation)));
        expect(["revoked", "fault"]).toContain(listStatus(mutate(list, mutation)));
      }),
      { seed, numRuns: inputs(1_700) },
    );
  });

  it("with every fifth bit of the content or the signature flipped: 0 accepted", () => {
    const basic = (der: Uint8Array) => octets(elements(explicit(elements(readDer(der))[1], 0))[1]);
    let tried = 0;
    for (const [der, inner, status] of [
      [good, basic(good), ocspStatus],
      [revoked, basic(revoked), ocspStatus],
      [list, list, listStatus],
    ] as const) {
      const [content, , signature] = elements(readDer(inner));
      for (const part of [encoded(content), bitsOf(signature)]) {
        const start = Buffer.from(der).indexOf(part);
        for (let bit = start * 8; bit < (start + part.length) * 8; bit += STRIDE) {
          const turned = Uint8Array.from(der);
          turned[bit >> 3] = (der[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(status(turned), `bit ${bit}`).toBe("fault");
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(8_000 / STRIDE);
  });

  it("mutated before the issuer signs them: each is read or refused without an exception", () => {
    const content = (der: Uint8Array) => encoded(elements(readDer(der))[0]);
    const tbs = content(list);
    expect(listStatus(signedAround(tbs))).toBe("revoked");
    fc.assert(
      fc.property(mutations(), (mutation) => {
        const der = signedAround(mutate(tbs, mutation));
        expect(["good", "revoked", "fault"]).toContain(listStatus(der));
      }),
      { seed, numRuns: inputs(1_000) },
    );
  });

  /** The list an issuer would send that signs anything. */
  function signedAround(tbs: Uint8Array): Uint8Array {
    const { key } = issuer.signer;
    return signedDer(tbs, key, "ecdsaSha256");
  }

  function encoded(value: BaseBlock | undefined): Uint8Array {
    if (value === undefined) throw new Error("no content");
    return value.valueBeforeDecodeView;
  }

  function bitsOf(value: BaseBlock | undefined): Uint8Array {
    if (!(value instanceof BitString)) throw new Error("no signature");
    return value.valueBlock.valueHexView;
  }

  function pemBytes(pem: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64"));
  }
});
