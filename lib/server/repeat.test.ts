import { describe, expect, it } from "vitest";
import { repeat } from "./repeat";

/** Turns that are counted; the last one says that there is nothing left and tells whoever waits. */
function counted(turns: number) {
  let count = 0;
  let running = 0;
  let most = 0;
  let tell: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const turn = async () => {
    count += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (count < turns) return true;
    tell();
    return false;
  };
  return { turn, done, count: () => count, most: () => most };
}

const everySeconds = 3_600;

describe("what is repeated", () => {
  it("begins at once and goes on without a pause while there is more to do, one turn at a time", async () => {
    const { turn, done, count, most } = counted(5);
    const { stop } = repeat({ everySeconds, turn });
    await done;
    await stop();
    expect([count(), most()]).toEqual([5, 1]);
  });

  it("pauses when there is no more to do, and can be stopped in the pause", async () => {
    const { turn, done, count } = counted(1);
    const { stop } = repeat({ everySeconds, turn });
    await done;
    await new Promise(setImmediate);
    await stop();
    expect(count()).toBe(1);
  });

  it("lets the turn that runs come to its end when it is stopped, and begins no other", async () => {
    let ended = false;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const turn = async () => {
      await held;
      ended = true;
      return true;
    };
    const stopped = repeat({ everySeconds, turn }).stop();
    expect(ended).toBe(false);
    release();
    await stopped;
    expect(ended).toBe(true);
  });

  it("goes on after a turn that failed", async () => {
    const { turn, done, count } = counted(2);
    let failed = false;
    const failing = async () => {
      if (failed) return turn();
      failed = true;
      throw new Error("the database is not there");
    };
    const { stop } = repeat({ everySeconds: 0, turn: failing });
    await done;
    await stop();
    expect(count()).toBeGreaterThanOrEqual(2);
  });
});
