import { expect, it, vi } from "vitest";
import { recall } from "./bounded-cache";

it("makes a value once", () => {
  const cache = new Map<string, number>();
  const make = vi.fn(() => 1);
  expect([recall(cache, "a", 2, make), recall(cache, "a", 2, make)]).toEqual([1, 1]);
  expect(make).toHaveBeenCalledTimes(1);
});

it("forgets the least recently used beyond its bound", () => {
  const cache = new Map<string, number>();
  for (const key of ["a", "b", "a", "c"]) recall(cache, key, 2, () => 1);
  expect([...cache.keys()]).toEqual(["a", "c"]);
});

it("keeps nothing of what could not be made", () => {
  const cache = new Map<string, number>();
  const fail = () => {
    throw new Error("unfit");
  };
  expect(() => recall(cache, "a", 2, fail)).toThrow("unfit");
  expect(cache.size).toBe(0);
});
