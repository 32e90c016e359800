import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { oncePerTurn } from "./once-per-turn";

it("it looks when it is asked, and again in a later turn of the loop", async () => {
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

it("a look that fails is no look", () => {
  let looks = 0;
  const look = oncePerTurn(() => {
    looks += 1;
    if (looks === 1) throw new Error("nothing to be seen");
    return looks;
  });
  expect(look).toThrow("nothing to be seen");
  expect(look()).toBe(2);
});

it("what it saw may be nothing", () => {
  let looks = 0;
  const look = oncePerTurn(() => {
    looks += 1;
  });
  look();
  look();
  expect(looks).toBe(1);
});
