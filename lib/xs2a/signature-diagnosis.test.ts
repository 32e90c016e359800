import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkVerifies } from "./signature";
import { type LikelyText, usualMistake } from "./signature-diagnosis";
import { invalid, thrown } from "./testing/tpp";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const signed = Buffer.from("digest: x");
const hash = "sha256";

/** Texts without end, and how many of them somebody has looked at. */
function endless() {
  const seen = { texts: 0 };
  function* texts(): Generator<LikelyText> {
    while (seen.texts < 1_000) {
      seen.texts += 1;
      yield { mistake: "none of these", text: Buffer.from(`${seen.texts}`) };
    }
  }
  return { seen, texts: texts() };
}

describe("the search for a mistake", () => {
  it("is not begun when the signature verifies", () => {
    const { seen, texts } = endless();
    const signature = sign("sha256", signed, rsa.privateKey);
    checkVerifies({ algorithm: "rsa-sha256", signature, signed }, rsa, texts);
    expect(seen.texts).toBe(0);
  });

  it("verifies an EC signature with no more than a dozen texts", () => {
    const { seen, texts } = endless();
    const signature = sign("sha256", Buffer.from("another text"), ec.privateKey);
    expect(usualMistake({ hash, signature, signed }, ec.publicKey, texts)).toBeUndefined();
    expect(seen.texts).toBeLessThanOrEqual(12);
  });

  it("looks at no text for an RSA signature of another key", () => {
    const { seen, texts } = endless();
    const signature = Buffer.alloc(256, 1);
    const mistake = usualMistake({ hash, signature, signed }, rsa.publicKey, texts);
    expect(mistake).toBe("it was made with another key");
    expect(seen.texts).toBe(0);
  });

  it.each([
    ["RSA", "rsa-sha256", rsa.publicKey],
    ["EC", "ecdsa-sha256", ec.publicKey],
  ])(
    "C10: ends in a refusal whatever the signature of an %s key is",
    (_kind, algorithm, publicKey) => {
      const likely = [{ mistake: "a line feed", text: Buffer.from("digest: x\n") }];
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (signature) => {
          const error = thrown(() =>
            checkVerifies({ algorithm, signature, signed }, { publicKey }, likely),
          );
          expect(error).toMatchObject(invalid("does not verify"));
        }),
        { numRuns: 300 },
      );
    },
  );

  it("does not make a wrong signature pass, whichever mistake it shows", () => {
    const text = Buffer.from("digest: x\n");
    const likely = [{ mistake: "a line feed", text }];
    for (const [algorithm, { publicKey, privateKey }] of Object.entries({
      "rsa-sha256": rsa,
      "ecdsa-sha256": ec,
    })) {
      const signature = sign("sha256", text, privateKey);
      const error = thrown(() =>
        checkVerifies({ algorithm, signature, signed }, { publicKey }, likely),
      );
      expect(error).toMatchObject(invalid("certificate: a line feed"));
    }
  });
});
