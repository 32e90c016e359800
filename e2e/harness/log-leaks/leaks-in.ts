/** What no line of a server's log may hold, by what it is called: a finding must not repeat it. */
export type Personal = Readonly<Record<string, readonly string[]>>;

/** Where it was found and what it is. */
type Leak = { readonly line: number; readonly what: string };

/** `Bearer` with something behind it, and the first letters of every JWT. */
const TOKENS = /\bBearer \S|\beyJ[\w-]{5}/i;
/** Six digits by themselves: not a part of an id or a fraction, nor the column where a frame is. */
const CODES = /(?<![\w.-]|:\d+:)\d{6}(?![\w-]|\.\d)/;

/**
 * Customers' data in the output of a server. Lines that are no JSON are for the person who started it: a
 * sandbox may print its passwords there, and nothing else.
 */
export function leaksIn(output: string, personal: Personal): readonly Leak[] {
  const sought = Object.entries(personal).map(([what, values]) => {
    return { what, values: values.map(squeezed) };
  });
  return output.split("\n").flatMap((text, index) => {
    const texts = textsOf(text);
    const isLog = texts !== undefined;
    const known = sought.filter(({ what, values }) => {
      return (isLog || what !== "password") && holdsOne(texts ?? [text], values);
    });
    const found = known.map(({ what }) => what);
    if (TOKENS.test(text)) found.push("access token");
    if (texts?.some((one) => CODES.test(one))) found.push("one-time code");
    return found.map((what) => ({ line: index + 1, what }));
  });
}

function holdsOne(texts: readonly string[], values: readonly string[]): boolean {
  return texts.map(squeezed).some((text) => values.some((value) => text.includes(value)));
}

/** However it is spaced, escaped for a URL or capitalised, it is the same IBAN or name. */
function squeezed(text: string): string {
  return text.replaceAll(/\s|\+|%20/g, "").toUpperCase();
}

/** Every name and value in a line of JSON, or undefined for another line. */
function textsOf(line: string): readonly string[] | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return textsIn(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)]);
}
