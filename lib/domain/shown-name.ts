import type { Branded } from "./values";

/** A name that a stranger gave, in the form in which a PSU may read it. */
export type ShownName = Branded<"ShownName">;

type Shown = {
  readonly charactersMax: number;
  /** BCP 47: in which the scripts of a foreign name are named. */
  readonly language: string;
};

/** The recommended scripts of UAX 31, table 5, by ISO 15924. What has no letter in one of them is spelled out. */
const SCRIPTS = [
  ...["Latn", "Cyrl", "Grek", "Armn", "Geor", "Hebr", "Arab", "Thaa", "Ethi", "Hani", "Hira"],
  ...["Kana", "Bopo", "Hang", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda"],
  ...["Mlym", "Sinh", "Thai", "Laoo", "Tibt", "Mymr", "Khmr"],
] as const;
type Script = (typeof SCRIPTS)[number];

/** UTS 39, 5.1: written together, alone and with Latin, a name is still "highly restrictive". */
const TOGETHER: readonly (readonly Script[])[] = [
  ["Hani", "Hira", "Kana"],
  ["Hani", "Bopo"],
  ["Hani", "Hang"],
];

/** In the order in which they are tried: a name of Latin letters is the bank's own script and needs no mark. */
const COMBINATIONS: readonly (readonly Script[])[] = [
  ...SCRIPTS.map((script) => [script]),
  ...TOGETHER,
  ...TOGETHER.map((scripts) => ["Latn" as const, ...scripts]),
];

const ofScript = (scripts: readonly string[]) => scripts.map((one) => `\\p{scx=${one}}`).join("");
/** Punctuation, digits, marks and symbols belong to every script. */
const COMMON = ofScript(["Zyyy", "Zinh"]);
const written = COMBINATIONS.map((scripts) => ({
  scripts,
  whole: new RegExp(`^[${COMMON}${ofScript(scripts)}]*$`, "u"),
}));
const lettersOf = new Map(SCRIPTS.map((one) => [one, new RegExp(`\\p{scx=${one}}`, "u")]));
/** A letter, or what stands with letters, of another script than Latin. */
const NOT_LATIN = new RegExp(`[^${COMMON}${ofScript(["Latn"])}]`, "u");

/**
 * What nobody sees, or what changes how the rest reads: controls, format characters (bidi, joiners, zero
 * width), private use, unassigned, and all else that is drawn as nothing.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Latin as people write names in it; phonetic letters and small capitals only look like it. */
const UNUSUAL_LATIN = /(?![A-Za-z\u00AA-\u024F\u1E00-\u1EFF])\p{Script=Latin}/u;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/u;
/** As mathematical and full-width letters are: NFKC makes another letter of them. */
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;
/** Every sign that could end the quotation marks around the name, or look as if it did. */
const QUOTES = /[\p{Quotation_Mark}\u02B9-\u02BC\u02EE\u05F3\u05F4\u2032-\u2037\u2057\u201B]/gu;
/** UTS 39, 5.4: no name needs more marks than that on one letter. */
const TOO_MANY_MARKS = /(?<=\p{Mn}{2})\p{Mn}/u;

/**
 * A TPP's or a payee's name is what a stranger wrote. It stands in a sentence of the bank's, on the page and on
 * the phone, where it must neither hide anything nor pass for another name (UTS 39): what is not seen, and
 * every letter of a second script, is spelled out as `[U+0430]`; a name that is wholly of another script than
 * the bank's keeps its letters and says which script they are. Signs of quotation become apostrophes and the
 * length is bounded, so that the text around it stays the bank's.
 */
export function shownName(name: string, { charactersMax, language }: Shown): ShownName {
  const line = name
    .normalize("NFC")
    .replace(/\p{White_Space}+/gu, " ")
    .trim();
  const plain = line.replace(QUOTES, "'");
  const scripts = scriptsOf(plain);
  const text = bounded(spelledOut(plain, scripts === undefined), charactersMax);
  const foreign = (scripts ?? []).filter((one) => one !== "Latn");
  if (foreign.length === 0) return text as string as ShownName;
  const names = new Intl.DisplayNames(language, { type: "script" });
  return `${text} [${foreign.map((one) => names.of(one) ?? one).join(", ")}]` as ShownName;
}

/** The scripts that it is written in, when one person writes them together; undefined when it is a mixture. */
function scriptsOf(text: string): readonly Script[] | undefined {
  const found = written.find(({ whole }) => whole.test(text));
  return found?.scripts.filter((one) => lettersOf.get(one)?.test(text));
}

function spelledOut(text: string, mixed: boolean): readonly string[] {
  const characters = Array.from(text);
  return characters.map((character, at) => {
    const marks = characters.slice(Math.max(0, at - 2), at + 1).join("");
    const misleads =
      UNSEEN.test(character) ||
      UNUSUAL_LATIN.test(character) ||
      FOREIGN_DIGIT.test(character) ||
      TOO_MANY_MARKS.test(marks) ||
      passesForAnother(character) ||
      (mixed && NOT_LATIN.test(character));
    return misleads ? `[U+${hexOf(character)}]` : character;
  });
}

function passesForAnother(character: string): boolean {
  const plain = character.normalize("NFKC");
  return plain !== character && /[\p{L}\p{N}]/u.test(character) && LETTER_OR_DIGIT.test(plain);
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Nothing that is spelled out is cut in two. */
function bounded(parts: readonly string[], charactersMax: number): string {
  const lengths = parts.map((part) => (part.startsWith("[U+") ? part.length : 1));
  if (lengths.reduce((sum, one) => sum + one, 0) <= charactersMax) return parts.join("");
  let left = charactersMax - 1;
  const cut = lengths.findIndex((length) => {
    left -= length;
    return left < 0;
  });
  return `${parts.slice(0, cut).join("").trimEnd()}…`;
}
