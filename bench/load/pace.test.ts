import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keepPace } from "./pace";

describe("a load of so many requests", () => {
  it("is sent by all connections together", async () => {
    const sent: number[] = [];
    const latencies = await keepPace({ kind: "count", requests: 7 }, 3, async (connection) => {
      sent.push(connection);
      await sleep(1);
    });
    expect(latencies).toHaveLength(7);
    expect(new Set(sent)).toEqual(new Set([0, 1, 2]));
  });
});

describe("a load at a fixed rate", () => {
  const pace = { kind: "open", seconds: 0.1, perSecond: 100, offset: 0 } as const;

  it("is sent in full, whatever the answers take", async () => {
    expect(await keepPace(pace, 1, () => sleep(15))).toHaveLength(10);
  });

  it("counts the wait of a request that was due while the server stalled", async () => {
    let stall = 0;
    const latencies = await keepPace(pace, 1, async () => {
      if (stall > 0) return;
      const from = performance.now();
      await sleep(60);
      stall = performance.now() - from;
    });
    // Due 10 ms after the first and sent when that had its answer.
    expect(latencies[1]).toBeGreaterThanOrEqual(stall - 11);
  });
});

it("an answer that is refused ends the load", async () => {
  const fail = () => Promise.reject(new Error("HTTP 500"));
  await expect(keepPace({ kind: "count", requests: 3 }, 2, fail)).rejects.toThrow("HTTP 500");
});
