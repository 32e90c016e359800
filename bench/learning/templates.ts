import type { Slot, Template } from "../limit/plan";

/** What differs from one recording to the next, and what stands for it. */
export type Templates = {
  readonly slots: readonly Slot[];
  /** In the order of the texts. */
  readonly templates: readonly (Template | null)[];
};

export type Recorded = {
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly texts: readonly (string | null)[];
};

const CHANGING =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gi;

/**
 * Compares several recordings of the same request, text by text. What is the same in all of them stays;
 * an id or an instant that differs becomes a slot, the same slot wherever the same value stood. Throws
 * for a difference that cannot be made anew.
 */
export function templatesOf(recordings: readonly Recorded[]): Templates {
  const [first] = recordings;
  if (first === undefined) throw new Error("nothing was recorded");
  const slots = new Map<string, number>();
  const made: Slot[] = [];

  function slotFor(values: readonly string[]): number {
    const key = values.join("\n").toLowerCase();
    const known = slots.get(key);
    if (known !== undefined) return known;
    slots.set(key, made.length);
    made.push(slotOf(values, recordings));
    return made.length - 1;
  }

  function template(texts: readonly (string | null)[]): Template | null {
    const given = texts.filter((text) => text !== null);
    if (given.length === 0) return null;
    if (given.length < texts.length) throw new Error("a value is sometimes null");
    const [one = ""] = given;
    if (given.every((text) => text === one)) return one;
    const literals = one.split(CHANGING);
    const alike = given.every((text) => same(text.split(CHANGING), literals));
    if (!alike) return { literals: ["", ""], slots: [slotFor(given)] };
    const changing = given.map((text) => [...text.matchAll(CHANGING)].map(([found]) => found));
    return joined(
      literals,
      at(changing, 0).map((value, place) => {
        const values = changing.map((found) => at(found, place));
        return values.every((other) => other === value) ? value : slotFor(values);
      }),
    );
  }

  const templates = first.texts.map((_, place) =>
    template(recordings.map(({ texts }) => texts[place] ?? null)),
  );
  return { slots: made, templates };
}

function slotOf(values: readonly string[], recordings: readonly Recorded[]): Slot {
  const [value = ""] = values;
  const isRequestId = values.every(
    (one, index) => one.toLowerCase() === recordings[index]?.requestId.toLowerCase(),
  );
  if (isRequestId) return { kind: "request-id" };
  if (/^[0-9a-f]{8}-/i.test(value)) return { kind: "uuid" };
  if (/^\d{4}-\d\d-\d\dT/.test(value)) {
    return { kind: "instant", offset: Date.parse(value) - (recordings[0]?.at ?? 0) };
  }
  const { length } = value;
  const fits = (pattern: RegExp) =>
    values.every((one) => one.length === length && pattern.test(one));
  if (fits(/^[0-9a-f]+$/)) return { kind: "random", length, encoding: "hex" };
  if (fits(/^[\w-]+$/)) return { kind: "random", length, encoding: "base64url" };
  throw new Error(`the limit cannot make anew what was "${value}" once`);
}

function at<Value>(list: readonly Value[], place: number): Value {
  const value = list[place];
  if (value === undefined) throw new Error("recordings are of one form");
  return value;
}

/** Values that turned out to be the same in all recordings become part of the text around them. */
function joined(literals: readonly string[], between: readonly (string | number)[]): Template {
  const texts = [at(literals, 0)];
  const slots: number[] = [];
  for (const [index, part] of between.entries()) {
    const after = at(literals, index + 1);
    if (typeof part === "string") texts.push(`${texts.pop()}${part}${after}`);
    else {
      slots.push(part);
      texts.push(after);
    }
  }
  return { literals: texts, slots };
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}
