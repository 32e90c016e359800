import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Network } from "@/lib/domain/sign-in-throttle";
import { fairQueue } from "./fair-queue";

const limits = { atOnce: 2, waitingMax: 8, waitingPerCallerMax: 5 };
const flood = "flood" as Network;
const [quiet, other] = ["quiet" as Network, "other" as Network];

/** Work that lasts until it is let go, by the name of who asked for it. */
function atDesk(bounds: Parameters<typeof fairQueue<Network>>[0] = limits) {
  const { run } = fairQueue<Network>(bounds);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (network: Network | undefined, name: string = network ?? "unknown") =>
    run(network, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  /** The one that has begun first ends. */
  const end = async () => {
    await settled();
    ends.shift()?.();
    await settled();
  };
  return { begun, ask, end, settled };
}

describe("X14: passwords are hashed", () => {
  it("so many at once and no more", async () => {
    const { begun, ask, end, settled } = atDesk();
    const asked = [1, 2, 3].map((nth) => ask(flood, `${nth}`));
    await settled();
    expect(begun).toEqual(["1", "2"]);
    await end();
    expect(begun).toEqual(["1", "2", "3"]);
    await end();
    await end();
    expect(await Promise.all(asked)).toEqual(["1", "2", "3"]);
  });

  it("by turns of the networks: behind a flood a network waits for one of its attempts, not for all", async () => {
    const { begun, ask, end } = atDesk();
    for (let nth = 0; nth < 7; nth += 1) void ask(flood);
    void ask(quiet);
    void ask(other);
    for (let nth = 0; nth < 9; nth += 1) await end();
    expect(begun).toEqual([flood, flood, flood, quiet, other, flood, flood, flood, flood]);
  });

  it("or refused at once, when too many of a network wait, or too many in all", async () => {
    const { ask, end } = atDesk();
    for (let nth = 0; nth < 7; nth += 1) void ask(flood);
    expect(await ask(flood)).toBeUndefined();
    for (const network of [quiet, other, undefined]) void ask(network);
    expect(await ask("late" as Network)).toBeUndefined();
    // Who has had their turn no longer waits.
    await end();
    const turned = ask("late" as Network);
    for (let nth = 0; nth < 10; nth += 1) await end();
    expect(await turned).toBe("late");
  });

  it("without losing a turn to what fails", async () => {
    const { run } = fairQueue<Network>({ ...limits, atOnce: 1 });
    const fails = () => run(quiet, () => Promise.reject(new Error("the database is gone")));
    for (let nth = 0; nth < 3; nth += 1) await expect(fails()).rejects.toThrow("gone");
    expect(await run(quiet, async () => "done")).toBe("done");
  });
});

describe("X14: a caller with a bound of its own", () => {
  it("has no more at once, and what it has waiting keeps nobody from a turn", async () => {
    const { begun, ask, end, settled } = atDesk({ ...limits, atOncePerCallerMax: 1 });
    for (let nth = 0; nth < 4; nth += 1) void ask(flood);
    await settled();
    expect(begun).toEqual([flood]);
    void ask(quiet);
    void ask(other);
    await settled();
    expect(begun).toEqual([flood, quiet]);
    for (let nth = 0; nth < 6; nth += 1) await end();
    expect(begun).toEqual([flood, quiet, flood, other, flood, flood]);
  });
});

describe("X14: a caller with a share of the process's time", () => {
  /** Half of it; `work` is what the process works, `pass` the time that passes. */
  function sharing() {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let workedMs = 0;
    const counts = (network: Network | undefined) => network !== undefined;
    const share = { ofOneCaller: 0.5, workedMs: () => workedMs, counts };
    const desk = atDesk({ ...limits, atOnce: 3, share });
    return {
      ...desk,
      work: (milliseconds: number) => {
        workedMs += milliseconds;
      },
      pass: async (milliseconds: number) => {
        vi.advanceTimersByTime(milliseconds);
        await desk.settled();
      },
    };
  }

  it("waits beside others while it has taken more, and has all at once again when they are gone", async () => {
    const { begun, ask, end, settled, work, pass } = sharing();
    void ask(flood);
    work(1_000);
    void ask(quiet);
    for (let nth = 0; nth < 3; nth += 1) void ask(flood);
    await end();
    expect(begun).toEqual([flood, quiet]);
    // Not all that it took while it was alone is counted.
    await pass(250);
    expect(begun).toEqual([flood, quiet, flood]);
    void ask(other);
    await settled();
    await end();
    expect(begun).toEqual([flood, quiet, flood, other]);
    await pass(100);
    expect(begun).toEqual([flood, quiet, flood, other, flood]);
    work(1_000);
    await end();
    await pass(100);
    expect(begun).toHaveLength(5);
    await pass(1_000);
    expect(begun).toHaveLength(6);
  });

  it("does not wait for what others take, nor while the process waits", async () => {
    const { begun, ask, end, work, pass } = sharing();
    void ask(flood);
    await pass(10_000);
    void ask(quiet);
    await end();
    work(1_000);
    void ask(flood);
    await end();
    void ask(other);
    void ask(flood);
    await end();
    expect(begun).toEqual([flood, quiet, flood, other, flood]);
  });

  it("does not wait for callers whom nobody knows", async () => {
    const { begun, ask, settled, work } = sharing();
    void ask(flood);
    work(1_000);
    void ask(undefined);
    void ask(flood);
    await settled();
    expect(begun).toEqual([flood, "unknown", flood]);
  });

  it("waits while another one asks again", async () => {
    const { begun, ask, end, work, pass } = sharing();
    void ask(quiet);
    void ask(flood);
    work(2_000);
    await end();
    await end();
    await pass(900);
    void ask(flood);
    work(2_000);
    await end();
    void ask(quiet);
    await end();
    void ask(flood);
    void ask(flood);
    await pass(90);
    expect(begun).toEqual([quiet, flood, flood, quiet]);
  });
});
