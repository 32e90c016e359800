import { expect, it } from "vitest";
import { type Moment, traffic } from "./traffic";

it("a call is in flight until it has ended, well or badly", async () => {
  const { during, inFlight } = traffic();
  const calls = [
    during("other", async () => "an answer"),
    during("other", () => Promise.reject(new Error("no answer"))),
  ];
  expect(inFlight()).toBe(2);
  await Promise.allSettled(calls);
  expect(inFlight()).toBe(0);
});

it("whoever waits for a moment is told when it comes, and of no other", async () => {
  const { during, next } = traffic();
  const told: Moment[] = [];
  const waiting = (["initiation over", "initiation sent"] as const).map((moment) =>
    next(moment).then(() => told.push(moment)),
  );
  await during("confirmation", async () => undefined);
  expect(told).toEqual([]);
  await during("initiation", async () => {
    await new Promise(setImmediate);
    expect(told).toEqual(["initiation sent"]);
  });
  await Promise.all(waiting);
  expect(told).toEqual(["initiation sent", "initiation over"]);
});
