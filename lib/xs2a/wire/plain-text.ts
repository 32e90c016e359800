import { z } from "zod";
import { orMissing } from "../parse";

/**
 * What no reader sees: control characters, which the database cannot keep either, line separators, and the
 * marks that make a text read otherwise than it is written. Cc, Cf, Co, Zl and Zp of Unicode 17, as a class
 * that every dialect of regular expressions reads; some of them know no halves of a character.
 */
export const UNSEEN = [
  String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e`,
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ue000-\uf8ff\ufeff\ufff9-\ufffb`,
  "\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}",
  "\u{e0020}-\u{e007f}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}",
].join("");

const unseen = new RegExp(`[${UNSEEN}\\ud800-\\udfff]`, "u");
/** For whoever reads the description. Here the two rules in it are asked one by one, which takes no time. */
const pattern = `^[^${UNSEEN}]*[^${UNSEEN}\\s][^${UNSEEN}]*$`;

/** One line of text as a person reads it, with at least one character that is no blank. */
export function plainText(charactersMax: number) {
  return z
    .string(orMissing("is not a text"))
    .meta({ minLength: 1, maxLength: charactersMax, pattern })
    .refine((text) => text.trim() !== "", "is empty")
    .refine((text) => !unseen.test(text), "has characters that cannot be read")
    .refine(
      (text) => text.length <= charactersMax || lengthOf(text) <= charactersMax,
      `is longer than ${charactersMax} characters`,
    );
}

/** In characters, as the standard and the database count, and not in halves of them. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
