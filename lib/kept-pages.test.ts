import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PageBytes } from "./domain/account-access/kept-pages";
import { after } from "./domain/clock";
import type { BooksState } from "./domain/identifiers";
import { keptPages } from "./kept-pages";

const state = (text: string) => text as BooksState;
const bytes = (length: number): PageBytes => new Uint8Array(length).fill(length % 256);
const noon = new Date("2026-11-20T10:00:00Z");
const second = (count: number) => after(noon, count, "second");
const page = (length: number) => ({ state: state("7"), bytes: bytes(length), at: noon });
const opened = (bytesMax = 100_000) => keptPages({ bytesMax, secondsMax: 60 });

describe("a page that is kept", () => {
  it("goes out again as it was", () => {
    const pages = opened();
    pages.keep("one", page(40));
    for (const now of [noon, second(59)]) {
      expect(pages.find("one", state("7"), now)).toEqual(bytes(40));
    }
    expect(pages.find("another", state("7"), noon)).toBeUndefined();
  });

  it("is none of books in another state, and not of these again", () => {
    const pages = opened();
    pages.keep("one", page(40));
    expect(pages.find("one", state("8"), noon)).toBeUndefined();
    expect(pages.find("one", state("7"), noon)).toBeUndefined();
  });

  it("ends with its time, and with a clock that was set back behind it", () => {
    for (const now of [second(60), second(-1)]) {
      const pages = opened();
      pages.keep("one", page(40));
      expect(pages.find("one", state("7"), now)).toBeUndefined();
    }
  });

  it("does not hold on to the memory of which its bytes were a part", () => {
    const slab = new Uint8Array(8_192);
    const pages = opened();
    pages.keep("one", { ...page(0), bytes: slab.subarray(0, 10) });
    expect(pages.find("one", state("7"), noon)?.buffer.byteLength).toBe(10);
  });

  it("is forgotten with all others when the database may be another one", () => {
    const pages = opened();
    pages.keep("one", page(40));
    pages.forgetAll();
    expect(pages.find("one", state("7"), noon)).toBeUndefined();
  });
});

describe("the room for pages", () => {
  it("of 0 bytes keeps none, and one that is too large leaves the others", () => {
    const none = opened(0);
    none.keep("one", page(0));
    expect(none.find("one", state("7"), noon)).toBeUndefined();
    const pages = opened(10_000);
    pages.keep("one", page(40));
    pages.keep("large", page(10_000));
    expect(pages.find("large", state("7"), noon)).toBeUndefined();
    expect(pages.find("one", state("7"), noon)).toBeDefined();
  });

  it("is left by those that were not asked for the longest", () => {
    const pages = opened(10_000);
    for (const name of ["a", "b", "c"]) pages.keep(name, page(2_500));
    pages.find("a", state("7"), noon);
    pages.keep("d", page(2_500));
    const kept = ["a", "b", "c", "d"].filter((name) => pages.find(name, state("7"), noon));
    expect(kept).toEqual(["a", "c", "d"]);
  });

  it("does not become less by pages that were replaced or forgotten", () => {
    const pages = opened(10_000);
    for (let times = 0; times < 10; times += 1) pages.keep("a", page(2_500));
    pages.forgetAll();
    const names = ["a", "b", "c"];
    for (const name of names) pages.keep(name, page(2_500));
    expect(names.filter((name) => pages.find(name, state("7"), noon))).toEqual(names);
  });

  it("is never exceeded, and what is found is what was kept last", () => {
    const names = fc.constantFrom("a", "b", "c", "d", "e");
    const states = fc.constantFrom("1", "2");
    const act = fc.record({ name: names, of: states, length: fc.integer({ min: 0, max: 4_000 }) });
    const acts = fc.array(fc.record({ keeps: fc.boolean(), act }), { maxLength: 60 });
    const property = fc.property(acts, (all) => {
      const pages = opened(8_000);
      const last = new Map<string, { readonly of: string; readonly length: number }>();
      for (const { keeps, act } of all) {
        const { name, of, length } = act;
        if (keeps) {
          pages.keep(name, { state: state(of), bytes: bytes(length), at: noon });
          last.set(name, { of, length });
          continue;
        }
        const found = pages.find(name, state(of), noon);
        if (found !== undefined) expect(last.get(name)).toEqual({ of, length: found.byteLength });
      }
      const held = [...last].flatMap(([name, { of }]) => {
        return pages.find(name, state(of), noon) ?? [];
      });
      const sum = held.reduce((total, { byteLength }) => total + byteLength, 0);
      expect(sum).toBeLessThanOrEqual(8_000);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
