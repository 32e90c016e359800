import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProfileError, parseBankFile, readBankFile } from "./read";
import { contrastOf, defaultColours } from "./theme";

const ROOT = join(import.meta.dirname, "../..");
const profiles = join(ROOT, "examples/profiles");
const zori = readFileSync(join(profiles, "banca-zori/bank.yaml"), "utf8");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-profile-"));
  writeFileSync(join(folder, "logo.svg"), readFileSync(join(profiles, "banca-zori/logo.svg")));
  writeFileSync(join(folder, "active.svg"), '<svg viewBox="0 0 1 1" onload="go()"/>');
  writeFileSync(join(folder, "text.woff2"), "no font");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The second bank's file with one line another, or one more; with what is said of it. */
function mistakes(line: string, instead: string): readonly string[] {
  expect(zori).toContain(line);
  try {
    parseBankFile(zori.replace(line, instead), join(folder, "bank.yaml"));
  } catch (error) {
    if (error instanceof ProfileError) {
      return error.message
        .split("\n")
        .map((text) => text.replace(join(folder, "bank.yaml"), "bank.yaml"));
    }
  }
  throw new Error("was not refused");
}

/** Where a line of the file is, counted from 1. */
const lineOf = (line: string) => zori.slice(0, zori.indexOf(line)).split("\n").length;

describe("a profile is refused with file, line and what is expected", () => {
  it.each([
    [
      "an unknown key",
      "  codeMinutes: 3",
      "  codeMinuts: 3",
      ":3: sca.codeMinuts: is no key of a profile; expected one of approvalMinutes, windowMinutes",
    ],
    [
      "a wrong type",
      "  blockMinutes: 30",
      "  blockMinutes: long",
      ":3: sca.blockMinutes: expected a whole number from 1 to 1440",
    ],
    [
      "out of range",
      "  recurringDaysMax: 90",
      "  recurringDaysMax: 181",
      ":3: accountConsent.recurringDaysMax: expected a whole number from 1 to 180",
    ],
    [
      "missing",
      "bic: ZORIROBU\n",
      "",
      ":1: bic: expected a BIC of 8 or 11 capital letters and digits",
    ],
    ["bad YAML", "languages: [ro, en]", "languages: [ro, en", ":"],
    [
      "a key twice",
      "defaultLanguage: ro",
      "defaultLanguage: ro\nname: Other",
      ":1: Map keys must be unique",
    ],
    [
      "a part that is a value",
      "ratesPerEuro:\n  EUR: 1\n  RON: 5.12",
      "ratesPerEuro: 5",
      ":1: ratesPerEuro: expected keys with values, indented below it",
    ],
    [
      "an amount without a currency",
      "  psuDayLimit: 10000.00 EUR",
      "  psuDayLimit: 10000",
      ':3: payments.psuDayLimit: expected an amount and its currency, such as "15000.00 EUR"',
    ],
    [
      "more decimals than the currency has",
      "  psuDayLimit: 10000.00 EUR",
      "  psuDayLimit: 10000.001 EUR",
      ":3: payments.psuDayLimit: expected an amount",
    ],
    [
      "a language that is none of ours",
      "languages: [ro, en]",
      "languages: [ro, fr]",
      ":17: languages.1: expected en or ro",
    ],
    [
      "a BIC of another country",
      "bic: ZORIROBU",
      "bic: ZORIDEFF",
      ":1: bic: expected a BIC of the bank's country",
    ],
    [
      "a window that cannot be extended ten times",
      "  codeMinutes: 3",
      "  windowMinutes: 20",
      ":3: sca.windowMinutesMax: expected at least eleven times windowMinutes",
    ],
    [
      "a currency without a rate",
      "      currencies: [RON]",
      "      currencies: [RON, SEK]",
      ":25: payments.products.instant-sepa-credit-transfers.currencies.1: expected a currency of ratesPerEuro",
    ],
    [
      "a currency without a rate of a product that is not offered any more",
      "      fee: 12.00 EUR",
      "      fee: 12.00 SEK",
      ":7: payments.products.target-2-payments.fee: expected a currency of ratesPerEuro",
    ],
    [
      "a rate of no currency",
      "  RON: 5.12",
      "  RON: 5.12\n  leu: 5.12",
      ":3: ratesPerEuro.leu: expected a currency as three capital letters, such as EUR",
    ],
    [
      "a text by no name",
      "    frame.place: Your bank",
      "    frame place: Your bank",
      ":5: texts.en.frame place: expected the name of a text, such as frame.place",
    ],
    [
      "an operator's session that is over before its inactivity",
      "retention:\n",
      "staff: { inactivityMinutes: 15, sessionMinutes: 10 }\nretention:\n",
      ":10: staff.inactivityMinutes: expected at most sessionMinutes",
    ],
    [
      "text that is hard to read",
      '      link: "#8a1f4d"',
      '      link: "#e08aa8"',
      ":7: theme.colours.light.link: expected a contrast with paper of 4.5 or more (WCAG 2.2): #e08aa8 on #fff4e6 has 2.",
    ],
    [
      "edges that are hard to see",
      '      edge: "#8a5a78"',
      '      edge: "#d8c8d2"',
      ":7: theme.colours.light.edge: expected a contrast with paper of 3 or more",
    ],
    [
      "a ground too dark for the demo bank's own colours",
      '      card: "#ffffff"',
      '      card: "#8a8a8a"',
      ":7: theme.colours.light.card: expected a contrast with",
    ],
    [
      "a logo that is not there",
      "  logo: logo.svg",
      "  logo: none.svg",
      ":3: theme.logo: expected a file beside this one",
    ],
    [
      "a logo elsewhere",
      "  logo: logo.svg",
      "  logo: ../logo.svg",
      ":3: theme.logo: expected an .svg file beside this one",
    ],
    [
      "a logo with a script",
      "  logo: logo.svg",
      "  logo: active.svg",
      ":3: theme.logo: expected an SVG image without scripts and references",
    ],
    [
      "a font that is none",
      "    body: source-serif",
      "    body: text.woff2",
      ":5: theme.font.body: expected a WOFF2 font",
    ],
    [
      "a text that there is not",
      "    frame.place: Your bank",
      "    frame.plaice: Your bank",
      ":5: texts.en.frame.plaice: expected the name of a text",
    ],
    [
      "a text with a place for a value",
      "    frame.place: Your bank",
      "    frame.phishing: Your bank",
      ":5: texts.en.frame.phishing: expected the name of a text",
    ],
  ])("%s", (_kind, line, instead, expected) => {
    const said = mistakes(line, instead);
    expect(said.join("\n")).toContain(expected);
    for (const one of said) expect(one).toMatch(/^bank\.yaml:\d+:\d+: /);
  });

  it.each([
    [
      "  recurringDaysMax: 90",
      "  historyDays: 91",
      "historyDays: expected a whole number from 90 to 90",
    ],
    ["  passkeysMax: 5", "  codesSentMax: 5", "codesSentMax: expected a whole number from 1 to 4"],
    ["  codeMinutes: 3", "  codeMinutes: 6", "codeMinutes: expected a whole number from 1 to 5"],
  ])("what the regulation does not allow: %s, %s", (line, instead, expected) => {
    expect(mistakes(line, instead).join("\n")).toContain(expected);
  });

  it("on the line where it is, and all of them at once", () => {
    const line = "  codeMinutes: 3\n  blockMinutes: 30";
    const said = mistakes(line, "  codeMinutes: 0\n  blockMinutes: 0");
    const at = lineOf(line);
    expect(said.map((one) => one.split(": ")[0])).toEqual([
      `bank.yaml:${at}:3`,
      `bank.yaml:${at + 1}:3`,
    ]);
  });

  it("a file that is not there", () => {
    expect(() => readBankFile(join(folder, "none.yaml"))).toThrow(
      "none.yaml: cannot be read: ENOENT",
    );
  });
});

describe("a profile that is in order", () => {
  it("says what is another bank's, and leaves the rest as the regulation has it", () => {
    const { profile } = readBankFile(join(profiles, "banca-zori/bank.yaml"));
    expect(profile.sca).toMatchObject({
      codeMinutes: 3,
      failedAttemptsMax: 5,
      inactivityMinutes: 5,
    });
    expect(profile.payments.products["sepa-credit-transfers"]).toMatchObject({
      cutOff: "17:30",
      fee: { currency: "EUR", minorUnits: 150n },
    });
    expect(profile.payments.products["cross-border-credit-transfers"].offered).toBe(false);
    expect(profile.ratesPerEuro).toEqual({ EUR: 10_000n, RON: 51_200n });
  });

  it("has one version for the stylesheet and the files that it names", () => {
    const { theme } = readBankFile(join(profiles, "banca-zori/bank.yaml"));
    const css = Buffer.from(theme?.files.get("theme.css")?.content ?? []).toString();
    expect(css).toContain("--color-paper:#fff4e6;");
    expect(css).toContain(`url("logo.svg?v=${theme?.version}")`);
  });
});

describe("the look without a theme", () => {
  const css = readFileSync(join(ROOT, "components/look/tokens.css"), "utf8");
  const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");

  it.each([
    ["light", light],
    ["dark", dark],
  ] as const)("is that of components/look/tokens.css: %s", (scheme, text) => {
    const found = [...text.matchAll(/--color-([a-z-]+): (#[0-9a-f]{6});/g)];
    const inFile = Object.fromEntries(found.map(([, name, value]) => [name, value]));
    const { focus, "focus-edge": edge, ...own } = defaultColours[scheme];
    expect({ focus, "focus-edge": edge, ...inFile }).toEqual({ focus, "focus-edge": edge, ...own });
  });

  it("contrast is that of WCAG 2.2", () => {
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});
