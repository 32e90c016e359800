import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { inTurn } from "./in-turn";

it("all is done, in its order, and others have their turn in between", async () => {
  const done: string[] = [];
  const soon = inTurn();
  for (let nth = 0; nth < 100; nth += 1) soon(() => done.push(`${nth}`));
  expect(done).toEqual([]);
  const others = (async () => {
    for (let nth = 0; nth < 10; nth += 1) {
      await nextTurn();
      done.push("other");
    }
  })();
  await others;
  expect(done.slice(0, -1)).toContain("other");
  while (done.length < 110) await nextTurn();
  const own = done.filter((one) => one !== "other");
  expect(own).toEqual(Array.from({ length: 100 }, (_, nth) => `${nth}`));
  expect(done.indexOf("other")).toBeLessThan(done.indexOf("99"));
});

it("what comes while another is done is done as well", async () => {
  const done: string[] = [];
  const soon = inTurn();
  soon(() => {
    done.push("first");
    soon(() => done.push("second"));
  });
  while (done.length < 2) await nextTurn();
  soon(() => done.push("third"));
  while (done.length < 3) await nextTurn();
  expect(done).toEqual(["first", "second", "third"]);
});
