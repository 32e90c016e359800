import { expect, it } from "vitest";
import { wavesOf } from "./waves";

const span = (name: string, startedAt: number, endedAt: number) => ({ name, startedAt, endedAt });
const names = (spans: Parameters<typeof wavesOf<ReturnType<typeof span>>>[0]) =>
  wavesOf(spans).map((wave) => wave.map(({ name }) => name));

it("what began after another had ended comes in a wave of its own", () => {
  expect(names([span("a", 1, 2), span("b", 3, 4)])).toEqual([["a"], ["b"]]);
});

it("what was under way together is in one wave", () => {
  expect(names([span("a", 1, 4), span("b", 2, 3), span("c", 5, 6)])).toEqual([["a", "b"], ["c"]]);
});

it("what began after the first of a wave had ended may have waited for it", () => {
  expect(names([span("a", 1, 6), span("b", 2, 3), span("c", 4, 5)])).toEqual([["a", "b"], ["c"]]);
});

it("waves are in the order in which they began, however the spans come", () => {
  expect(names([span("b", 3, 4), span("a", 1, 2)])).toEqual([["a"], ["b"]]);
});
