import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTurn } from "./in-turn";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

function hundred() {
  const done: number[] = [];
  const soon = inTurn(3);
  const numbers = Array.from({ length: 100 }, (_, nth) => nth);
  const takeBack = numbers.map((nth) => soon(() => done.push(nth)));
  return { done, numbers, takeBack };
}

it("one is done at once, and each of the others after a pause, in its order", () => {
  const { done, numbers } = hundred();
  expect(done).toEqual([0]);
  vi.advanceTimersByTime(30);
  expect(done).toEqual(numbers.slice(0, 11));
  vi.runAllTimers();
  expect(done).toEqual(numbers);
});

it("what has waited for more than half a second is done four at a time", () => {
  const done: number[] = [];
  const soon = inTurn(10);
  for (let nth = 0; nth < 100; nth += 1) soon(() => done.push(nth));
  vi.advanceTimersByTime(500);
  expect(done).toHaveLength(51);
  vi.advanceTimersByTime(10);
  expect(done).toHaveLength(55);
});

it("what was taken back is not done, and takes nobody's turn", () => {
  const { done, takeBack } = hundred();
  for (const back of takeBack.slice(1, -1)) back();
  vi.advanceTimersByTime(3);
  expect(done).toEqual([0, 99]);
});

it("what comes while another is done is done as well", () => {
  const done: string[] = [];
  const soon = inTurn(3);
  soon(() => {
    done.push("first");
    soon(() => done.push("second"));
  });
  vi.runAllTimers();
  soon(() => done.push("third"));
  expect(done).toEqual(["first", "second", "third"]);
});

it("one that fails keeps none of the others from their turn", () => {
  const done: string[] = [];
  const soon = inTurn(3);
  expect(() =>
    soon(() => {
      throw new Error("broken");
    }),
  ).toThrow("broken");
  soon(() => done.push("second"));
  vi.runAllTimers();
  expect(done).toEqual(["second"]);
});

it("a request that is being answered is waited for, and not for long", () => {
  const done: string[] = [];
  let answering = true;
  const soon = inTurn(3, () => answering);
  for (const name of ["first", "second", "third"]) soon(() => done.push(name));
  expect(done).toEqual([]);
  vi.advanceTimersByTime(5);
  expect(done).toEqual([]);
  answering = false;
  vi.advanceTimersByTime(1);
  expect(done).toEqual(["first"]);
  answering = true;
  vi.advanceTimersByTime(12);
  expect(done).toEqual(["first"]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(["first", "second"]);
  vi.runAllTimers();
  expect(done).toEqual(["first", "second", "third"]);
});
