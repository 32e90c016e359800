import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageBytes } from "./domain/account-access/kept-pages";
import { after } from "./domain/clock";
import type { BooksState, PageName } from "./domain/identifiers";
import { keptPages } from "./kept-pages";

const noon = new Date("2026-11-20T10:00:00Z");
const second = (count: number) => after(noon, count, "second");
const millisecond = (count: number) => new Date(noon.getTime() + count);
const bytes = (length: number): PageBytes => new Uint8Array(length).fill(length % 256);
const state = (text: string) => text as BooksState;

/** A server that is asked for pages; what it has to write it keeps. */
function opened(bytesMax = 100_000) {
  const pages = keptPages({ bytesMax, secondsMax: 60 });
  const find = (name: string, of = "7", now = noon) => {
    return pages.find(name as PageName, state(of), now);
  };
  const found = (...asked: Parameters<typeof find>) => {
    const answer = find(...asked);
    return "sentBefore" in answer ? answer.sentBefore : undefined;
  };
  /** The way to keep a page, whether or not there is one already. */
  const keeping = (name: string, now = noon) => {
    const answer = find(name, `not ${crypto.randomUUID()}`, now);
    if ("sentBefore" in answer) throw new Error("a page of a state that was never there");
    return answer.keep;
  };
  const keep = (name: string, length: number, now = noon) =>
    keeping(name, now)(state("7"), bytes(length));
  const held = (names: readonly string[]) => names.filter((name) => found(name) !== undefined);
  return { forgetAll: pages.forgetAll, found, keeping, keep, held };
}

describe("a page that is kept", () => {
  it("goes out again as it was", () => {
    const { keep, found } = opened();
    keep("one", 40);
    for (const now of [noon, second(59)]) expect(found("one", "7", now)).toEqual(bytes(40));
    expect(found("another")).toBeUndefined();
  });

  it("is none of books in another state", () => {
    const { keep, found } = opened();
    keep("one", 40);
    expect(found("one", "8")).toBeUndefined();
    expect(found("one", "7")).toEqual(bytes(40));
  });

  it("is of the books that were read, whatever state was asked for", () => {
    const { keeping, found } = opened();
    keeping("one")(state("8"), bytes(40));
    expect([found("one", "7"), found("one", "8")]).toEqual([undefined, bytes(40)]);
  });

  it("ends with its time, and is not one of a clock that was set back behind it", () => {
    const { keep, found } = opened();
    keep("one", 40);
    expect(found("one", "7", second(60))).toBeUndefined();
    expect(found("one", "7", millisecond(-1))).toBeUndefined();
  });

  it("does not hold on to the memory of which its bytes were a part", () => {
    const { keeping, found } = opened();
    keeping("one")(state("7"), new Uint8Array(8_192).subarray(0, 10));
    expect(found("one")?.buffer.byteLength).toBe(10);
  });

  it("is forgotten with all others when the database may be another one, and so is what was being read", () => {
    const { forgetAll, keep, keeping, found, held } = opened();
    keep("one", 40);
    const underWay = keeping("two");
    forgetAll();
    underWay(state("7"), bytes(40));
    expect(held(["one", "two"])).toEqual([]);
    keep("two", 41);
    expect(found("two")).toEqual(bytes(41));
  });
});

describe("the room for pages", () => {
  const abc = ["a", "b", "c"] as const;

  it("of 0 bytes keeps none, and one that is too large leaves the others", () => {
    const none = opened(0);
    none.keep("one", 0);
    expect(none.held(["one"])).toEqual([]);
    const { keep, held } = opened(10_000);
    keep("one", 40);
    keep("large", 10_000);
    expect(held(["one", "large"])).toEqual(["one"]);
  });

  it("is left by those that were not asked for the longest, by as many as have to go", () => {
    const { keep, found, held } = opened(10_000);
    for (const name of abc) keep(name, 2_500);
    found("a");
    keep("d", 2_500);
    expect(held([...abc, "d"])).toEqual(["a", "c", "d"]);
    keep("large", 9_000);
    expect(held([...abc, "d", "large"])).toEqual(["large"]);
  });

  it("is left by those that are over when another one comes, and by no others", () => {
    const { keep, found, held } = opened();
    for (const [nth, name] of abc.entries()) keep(name, 40, millisecond(nth - 2));
    keep("late", 40, millisecond(-9));
    expect(held(abc)).toEqual(abc);
    keep("d", 40, millisecond(59_999));
    // The clock back: c would go out still, and so would a and b if they had been held.
    expect([...abc].filter((name) => found(name, "7", second(59)))).toEqual(["c"]);
  });

  it("does not become less by pages that were replaced or forgotten", () => {
    const { keep, forgetAll, held } = opened(10_000);
    for (let times = 0; times < 10; times += 1) keep("a", 2_500);
    forgetAll();
    for (const name of abc) keep(name, 2_500);
    expect(held(abc)).toEqual(abc);
  });

  it("is also taken by what a small page costs besides its bytes, and by a long name", () => {
    const names = Array.from({ length: 1_000 }, (_, nth) => String(nth));
    const small = opened(100_000);
    for (const name of names) small.keep(name, 1);
    expect(small.held(names).length).toBeLessThan(200);
    const long = opened(100_000);
    const longNames = names.map((name) => name.padEnd(10_000));
    for (const name of longNames) long.keep(name, 1);
    expect(long.held(longNames).length).toBeLessThan(5);
  });

  it("is never exceeded, and what is found is what was kept last", () => {
    const names = ["a", "b", "c", "d", "e"];
    const length = fc.integer({ min: 0, max: 4_000 });
    const act = fc.record({ keeps: fc.boolean(), name: fc.constantFrom(...names), length });
    const property = fc.property(fc.array(act, { maxLength: 60 }), (all) => {
      const { keep, found, held } = opened(8_000);
      const last = new Map<string, number>();
      for (const { keeps, name, length } of all) {
        if (keeps) {
          keep(name, length);
          last.set(name, length);
        } else {
          const page = found(name);
          if (page !== undefined) expect(page).toEqual(bytes(last.get(name) ?? Number.NaN));
        }
        const sizes = held(names).map((one) => last.get(one) ?? Number.NaN);
        expect(sizes.reduce((sum, one) => sum + one + 512, 0)).toBeLessThanOrEqual(8_000);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});
