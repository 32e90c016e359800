import { z } from "zod";
import { orMissing } from "../parse";

/**
 * What no reader sees: control characters, which the database cannot keep either, halves of a
 * character, line separators, and the marks that make a text read otherwise than it is written.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** One line of text as a person reads it, with at least one character that is no blank. */
export function plainText(charactersMax: number) {
  return z
    .string(orMissing("is not a text"))
    .refine((text) => text.trim() !== "", "is empty")
    .refine((text) => !UNSEEN.test(text), "has characters that cannot be read")
    .refine(
      (text) => text.length <= charactersMax || lengthOf(text) <= charactersMax,
      `is longer than ${charactersMax} characters`,
    );
}

/** In characters, as the standard and the database count, and not in halves of them. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
