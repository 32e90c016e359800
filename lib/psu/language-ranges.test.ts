import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstOf, mostWanted } from "./language-ranges";
import { type Language, languages } from "./texts/language";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 3_000 }),
  fc.stringMatching(/^[roenROEN*;=q0-9., _-]{0,200}$/),
);

describe("ui_locales: the first of our languages in the TPP's order", () => {
  it.each<readonly [string, Language | undefined]>([
    ["ro", "ro"],
    ["ro-RO", "ro"],
    ["ro_RO", "ro"],
    ["RO-md", "ro"],
    ["en-GB ro", "en"],
    ["de fr-CA ro en", "ro"],
    ["  en   ro ", "en"],
    ["rom", undefined],
    ["xro enx", undefined],
    ["de fr", undefined],
    ["x-ro", undefined],
    ["*", undefined],
    ["ro,en", undefined],
    ["", undefined],
    ["constructor __proto__", undefined],
    [`${"de ".repeat(400)}ro`, undefined],
  ])("%j: %s", (tags, language) => {
    expect(firstOf(tags)).toBe(language);
  });

  it("is one of ours or none, whatever is sent", () => {
    fc.assert(
      fc.property(anyText, (tags) => {
        expect([...languages, undefined]).toContain(firstOf(tags));
      }),
    );
  });
});

describe("Accept-Language: the most wanted of our languages", () => {
  it.each<readonly [string, Language | undefined]>([
    ["ro-RO,ro;q=0.9,en-US;q=0.8,en;q=0.7", "ro"],
    ["en;q=0.4, ro;q=0.5", "ro"],
    ["ro, en", "ro"],
    ["en, ro", "en"],
    ["de, ro;q=0.1", "ro"],
    ["ro;q=0.5, en;q=0.50", "ro"],
    ["RO ; Q=1.000", "ro"],
    ["en-GB;q=0, en;q=0.3, ro;q=0.2", "en"],
    ["*", "en"],
    ["de, *;q=0.1", "en"],
    ["ro;q=0.2, *;q=0.3", "en"],
    ["en;q=0, *", "ro"],
    ["ro;q=0", undefined],
    ["ro;q=2", undefined],
    ["ro;q=0.1234", undefined],
    ["ro;q=", undefined],
    ["ro;q=x, en;q=0.1", "en"],
    ["de-DE, fr;q=0.9", undefined],
    ["", undefined],
    [";q=1", undefined],
    [",,,", undefined],
    [`${"de,".repeat(400)}ro`, undefined],
  ])("%j: %s", (header, language) => {
    expect(mostWanted(header, "en")).toBe(language);
  });

  it("* is the fallback's, whichever it is", () => {
    for (const fallback of languages) expect(mostWanted("fr, *;q=0.5", fallback)).toBe(fallback);
  });

  it("is one of ours or none, whatever is sent", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...languages), (header, fallback) => {
        expect([...languages, undefined]).toContain(mostWanted(header, fallback));
      }),
    );
  });

  it("is the one of the higher quality, wherever the two stand", () => {
    const quality = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(quality, quality, fc.boolean(), (ro, en, first) => {
        fc.pre(ro !== en);
        const ranges = [`ro;q=${ro / 1000}`, `en-GB;q=${en / 1000}`];
        const header = (first ? ranges : ranges.toReversed()).join(", ");
        expect(mostWanted(header, "en")).toBe(ro > en ? "ro" : "en");
      }),
    );
  });
});
