import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import httpSignature from "http-signature";
import { describe, expect, it } from "vitest";
import { readCertificate } from "@/lib/eidas/certificate";
import { invalid, own, seal, thrown } from "../testing/refusal";
import { checkDigest } from "./digest";
import { checkKeyId } from "./key-id";
import { parseSignatureHeader } from "./signature-header";
import { signingString } from "./signing-string";
import { checkVerifies } from "./verifies";

describe("the signature itself", () => {
  const signed = Buffer.from("digest: x");

  it.each(["hmac-sha256", "none", "rsa-sha1", "hs2019", "ecdsa-sha256"])(
    "S6: algorithm %s is refused with an RSA key",
    (algorithm) => {
      const error = thrown(() => checkVerifies({ algorithm, signature: signed, signed }, seal));
      expect(error).toMatchObject(invalid("algorithm"));
    },
  );

  it.each(["sha256", "sha512"])(
    "of an EC key with %s is accepted, over other bytes it is not",
    (hash) => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const signature = sign(hash, signed, privateKey);
      const call = (bytes: Uint8Array) =>
        thrown(() =>
          checkVerifies({ algorithm: `ecdsa-${hash}`, signature, signed: bytes }, { publicKey }),
        );
      expect(call(signed)).toBeUndefined();
      expect(call(Buffer.from("digest: y"))).toMatchObject(invalid("does not verify"));
    },
  );

  it("made by another library is accepted", () => {
    const headers: Record<string, string> = {
      digest: "SHA-256=abc",
      date: "Fri, 20 Nov 2026 10:00:00 GMT",
    };
    const request = {
      getHeader: (name: string) => headers[name.toLowerCase()],
      setHeader: (name: string, value: string) => {
        headers[name.toLowerCase()] = value;
      },
      method: "GET",
      path: "/v1/accounts?withBalance=true",
    };
    httpSignature.sign(
      request as never,
      {
        key: own.qsealKeyPem,
        keyId: "SN=1,CA=CN=x",
        algorithm: "rsa-sha256",
        headers: ["(request-target)", "digest", "date"],
        authorizationHeaderName: "signature",
      } as never,
    );
    const value = (headers["signature"] ?? "none").replace(/^Signature /, "");
    const { algorithm, signedHeaders, signature } = parseSignatureHeader(value);
    const received = new Request("https://bank.example/v1/accounts?withBalance=true", { headers });
    const text = signingString(signedHeaders, received);
    expect(
      thrown(() => checkVerifies({ algorithm, signature, signed: text }, seal)),
    ).toBeUndefined();
  });

  const example = fileURLToPath(
    new URL("../../../../shared/standard/signing-example", import.meta.url),
  );
  it.skipIf(!existsSync(example))("of the worked example is accepted, byte for byte", () => {
    const read = (name: string) => readFileSync(path.join(example, name), "utf8");
    const worked = JSON.parse(read("worked-example.json"));
    const certificate = readCertificate(new X509Certificate(read("qseal.pem")).raw);
    const request = new Request("https://bank.example/", { headers: worked.headers });
    checkDigest(worked.headers.digest, Buffer.from(read("body.json")));
    const { algorithm, signedHeaders, signature, keyId } = parseSignatureHeader(worked.signature);
    const signedText = signingString(signedHeaders, request);
    expect(Buffer.from(signedText).toString()).toBe(worked.signingString);
    checkKeyId(keyId, certificate);
    checkVerifies({ algorithm, signature, signed: signedText }, certificate);
  });
});
