import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatScope, parseScope } from "./scope";

const id = "7f1d2c3b-4a5e-4f60-8b71-92a3b4c5d6e7";
const ais = { kind: "AIS", resourceId: id };

describe("the scope of an authorisation", () => {
  it.each([
    ["as the standard writes it", `AIS:${id}`],
    ["prefix in lower case", `ais:${id}`],
    ["one blank after the colon", `AIS: ${id}`],
    ["a blank and offline_access", `offline_access Ais: ${id}`],
    ["offline_access, which is ignored", `AIS:${id} offline_access`],
  ])("is read: %s", (_name, text) => {
    expect(parseScope(text)).toEqual(ais);
  });

  it.each([
    ["nothing", null],
    ["empty", ""],
    ["offline_access alone", "offline_access"],
    ["another prefix", `XIS:${id}`],
    ["a prefix inside a longer word", `MAIS:${id}`],
    ["no id", "AIS:"],
    ["an id that is no UUID", "AIS:42"],
    ["two blanks after the colon", `AIS:  ${id}`],
    ["two resources", `AIS:${id} PIIS:${id}`],
    ["the same resource twice", `AIS:${id} AIS:${id}`],
    ["another scope beside it", `AIS:${id} openid`],
    ["a line break", `AIS:${id}\n`],
  ])("is refused: %s", (_name, text) => {
    expect(parseScope(text)).toBeUndefined();
  });

  it("is read back as it was issued, for every kind of resource", () => {
    fc.assert(
      fc.property(fc.constantFrom("AIS", "PIIS", "PIS"), fc.uuid(), (kind, resourceId) => {
        expect(parseScope(formatScope({ kind, resourceId }))).toEqual({ kind, resourceId });
      }),
    );
  });

  it("never names a resource that the text does not hold", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = parseScope(text);
        if (read !== undefined) expect(text.toLowerCase()).toContain(read.resourceId);
      }),
    );
  });
});
