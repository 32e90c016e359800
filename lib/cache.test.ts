import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { getOrCreate, oncePerTurn } from "./cache";

describe("a bounded cache", () => {
  it("makes a value once", () => {
    const cache = new Map<string, number>();
    const make = vi.fn(() => 1);
    expect([getOrCreate(cache, "a", 2, make), getOrCreate(cache, "a", 2, make)]).toEqual([1, 1]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("forgets the least recently used beyond its bound", () => {
    const cache = new Map<string, number>();
    for (const key of ["a", "b", "a", "c"]) getOrCreate(cache, key, 2, () => 1);
    expect([...cache.keys()]).toEqual(["a", "c"]);
  });

  it("keeps nothing when making a value failed", () => {
    const cache = new Map<string, number>();
    const fail = () => {
      throw new Error("unfit");
    };
    expect(() => getOrCreate(cache, "a", 2, fail)).toThrow("unfit");
    expect(cache.size).toBe(0);
  });
});

describe("a value read once in a turn", () => {
  it("reads once in a turn of the event loop, and again in a later one", async () => {
    let looks = 0;
    const look = oncePerTurn(() => {
      looks += 1;
      return looks;
    });
    expect(looks).toBe(0);
    expect([look(), look()]).toEqual([1, 1]);
    await Promise.resolve();
    expect(look()).toBe(1);
    await nextTurn();
    expect([look(), look()]).toEqual([2, 2]);
  });

  it("a failed read is not remembered", () => {
    let looks = 0;
    const look = oncePerTurn(() => {
      looks += 1;
      if (looks === 1) throw new Error("nothing to be seen");
      return looks;
    });
    expect(look).toThrow("nothing to be seen");
    expect(look()).toBe(2);
  });

  it("undefined is remembered too", () => {
    let looks = 0;
    const look = oncePerTurn(() => {
      looks += 1;
    });
    look();
    look();
    expect(looks).toBe(1);
  });
});
