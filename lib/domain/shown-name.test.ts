import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownName } from "./shown-name";

const shown = (name: string, charactersMax = 70) =>
  shownName(name, { charactersMax, language: "en" }) as string;

describe("P4: the name of a TPP or payee, as a PSU is shown it", () => {
  it.each([
    "Acme Payments Ltd. (Romania)",
    "Société Générale & Søn, No 7/2-B + O'Neill",
    "Băcănia Țăranului Știrbei S.R.L.",
    "Ngân hàng Việt Nam",
  ])("%j of ordinary Latin letters stays as it is", (name) => {
    expect(shown(name)).toBe(name);
  });

  it.each([
    ["a Cyrillic letter among Latin ones", "P\u0430yPal", "P[U+0430]yPal"],
    ["a Greek letter among Latin ones", "Acme B\u03B1nk", "Acme B[U+03B1]nk"],
    ["two scripts without Latin", "\u0440\u03B1", "[U+0440][U+03B1]"],
    ["a joiner between letters", "Pay\u200DPal", "Pay[U+200D]Pal"],
    ["a zero-width space", "Pay\u200BPal", "Pay[U+200B]Pal"],
    ["a soft hyphen", "Pay\u00ADPal", "Pay[U+00AD]Pal"],
    ["a text turned round", "Acme\u202EknaB", "Acme[U+202E]knaB"],
    ["a letter that is drawn as nothing", "Acme\u3164", "Acme[U+3164] [Hangul]"],
    ["a control character", "Acme\u0007", "Acme[U+0007]"],
    ["a Latin letter of phonetics", "P\u0251yPal", "P[U+0251]yPal"],
    ["a mathematical letter", "\u{1D40F}ayPal", "[U+1D40F]ayPal"],
    ["a full-width letter", "\uFF30ayPal", "[U+FF30]ayPal"],
    ["a digit of another script", "Fund \u0661", "Fund [U+0661]"],
    ["marks upon marks", "a\u0316\u0317\u0318", "a\u0316\u0317[U+0318]"],
    ["an unusual script", "\u13AAcme", "[U+13AA]cme"],
  ])("%s is spelled out", (_what, name, expected) => {
    expect(shown(name)).toBe(expected);
  });

  it.each([
    ["\u0440\u0430\u0443\u0440\u0430", "Cyrillic"],
    ["\u0391\u0392\u0395", "Greek"],
    ["\u4E2D\u56FD\u94F6\u884C", "Han"],
    ["\u65E5\u672C\u306E\u30D0\u30F3\u30AF", "Han, Hiragana, Katakana"],
    ["\uD55C\uAD6D Bank", "Hangul"],
  ])("%s, wholly of another script, says which", (name, script) => {
    expect(shown(name)).toBe(`${name.normalize("NFC")} [${script}]`);
  });

  it("says the script in the reader's language", () => {
    const read = { charactersMax: 70, language: "ro" };
    expect(shownName("\u0440\u0430\u0443", read)).toBe("\u0440\u0430\u0443 [chirilică]");
  });

  it("cannot end the quotation marks around it, nor begin another line", () => {
    const name = 'Acme\u201D, \u00ABand\u00BB\u2028\r\n \u2033all\u201E "is" well\u00A0';
    expect(shown(name)).toBe("Acme', 'and' 'all' 'is' well");
  });

  it("is cut when it is long, but nothing that is spelled out", () => {
    expect(shown("x".repeat(71))).toBe(`${"x".repeat(69)}…`);
    expect(shown("x".repeat(70))).toBe("x".repeat(70));
    expect(shown(`abcd\u200B${"x".repeat(9)}`, 10)).toBe("abcd…");
    expect(shown("\u0430".repeat(200))).toMatch(/^\u0430{69}… \[Cyrillic\]$/);
  });

  it("never hides anything, mixes scripts or grows beyond its bound, whatever it was", () => {
    const pieces = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom(..."aPе\u03B1\u05D0\u4E2D\u3042\u200D\u202E\u0301'\"\u201D "),
      }),
    );
    const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
    const foreign = /[^\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Latn}]/u;
    const asian = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]/u;
    fc.assert(
      fc.property(pieces, (name) => {
        const text = shown(name, 30);
        const [letters = ""] = text.split(/ \[[A-Z][^\]]*\]$/u);
        expect(text).not.toMatch(unseen);
        expect(text).not.toMatch(/["\u201C-\u201F\u00AB\u00BB]/);
        expect(Array.from(letters).length).toBeLessThanOrEqual(30);
        if (!foreign.test(letters)) return;
        expect(text).toMatch(/\[[A-Z][^\]]*\]$/u);
        const latin = /\p{Script=Latin}/u.test(letters.replace(/\[U\+[0-9A-F]+\]/g, ""));
        if (latin) expect(letters).toMatch(asian);
      }),
      { numRuns: 300 },
    );
  });
});
