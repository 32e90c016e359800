import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invalid, thrown } from "../testing/refusal";
import { parseSignatureHeader } from "./signature-header";

describe("the Signature header", () => {
  const sound =
    'keyId="SN=1,CA=CN=x",algorithm="rsa-sha256",headers="digest date",signature="AAAA"';

  it("is read with its parameters in any order", () => {
    const parameters = sound.split(/,(?=[a-z]+=")/);
    expect(parseSignatureHeader(parameters.reverse().join(" , "))).toMatchObject({
      keyId: "SN=1,CA=CN=x",
      algorithm: "rsa-sha256",
      signedHeaders: ["digest", "date"],
    });
  });

  it.each([
    ["S2: no list of headers", sound.replace(',headers="digest date"', "")],
    ["S2: an empty list of headers", sound.replace("digest date", "")],
    ["S4: a header listed twice", sound.replace("digest date", "digest date digest")],
    ["S4: a header listed twice in another case", sound.replace("digest date", "Digest digest")],
    ["S5: a parameter given twice", `${sound},keyId="SN=2,CA=CN=y"`],
    ["S5: an unknown parameter", `${sound},created="1"`],
    ["no keyId", sound.replace('keyId="SN=1,CA=CN=x",', "")],
    ["a signature that is not base64", sound.replace("AAAA", "A!AA")],
    ["an empty signature", sound.replace("AAAA", "")],
    ["no quotes", sound.replaceAll('"', "")],
    ["something behind it", `${sound} and more`],
    ["two blanks in the list", sound.replace("digest date", "digest  date")],
    ["nothing at all", ""],
  ])("%s is refused", (_, header) => {
    expect(thrown(() => parseSignatureHeader(header))).toMatchObject(invalid());
  });

  it("C10: whatever it holds, it is read or refused, never a fault of ours", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300, unit: fc.constantFrom(...'abk=",\\ headersigntu/+') }),
        (text) => {
          const error = thrown(() => parseSignatureHeader(text));
          if (error !== undefined) expect(error).toMatchObject(invalid());
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
