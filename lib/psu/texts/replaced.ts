import { english, type Texts } from "./en";
import type { Language } from "./formats";
import { romanian } from "./ro";

export const catalogues: Readonly<Record<Language, Texts>> = { en: english, ro: romanian };

/** Whether there is a text of that name, as in `frame.place`, which holds no place for a value. */
export function isReplaceable(language: Language, name: string): boolean {
  return typeof name.split(".").reduce(insideOf, catalogues[language]) === "string";
}

/** The texts with others in place of those that are named. */
export function replaced(texts: Texts, wordings: Readonly<Record<string, string>>): Texts {
  return Object.entries(wordings).reduce(
    (all, [name, wording]) => withText(all, name.split("."), wording) as Texts,
    texts,
  );
}

function withText(inside: unknown, [key, ...rest]: readonly string[], wording: string): unknown {
  if (key === undefined) return wording;
  return { ...Object(inside), [key]: withText(insideOf(inside, key), rest, wording) };
}

function insideOf(inside: unknown, key: string): unknown {
  const isPart = typeof inside === "object" && inside !== null && Object.hasOwn(inside, key);
  return isPart ? Reflect.get(inside, key) : undefined;
}
