import { setTimeout as sleep } from "node:timers/promises";
import type { Pace } from "./orders";

type Send = (connection: number) => Promise<void>;

/** Milliseconds, from when each request was due to the end of its answer. */
export function keepPace(pace: Pace, connections: number, send: Send): Promise<readonly number[]> {
  if (pace.kind === "open") return openLoop(pace, connections, send);
  let left = pace.kind === "count" ? pace.requests : Number.POSITIVE_INFINITY;
  const seconds = pace.kind === "closed" ? pace.seconds : Number.POSITIVE_INFINITY;
  const end = performance.now() + seconds * 1_000;
  const mayGoOn = () => {
    left -= 1;
    return left >= 0 && performance.now() < end;
  };
  return closedLoop(mayGoOn, connections, send);
}

async function closedLoop(
  mayGoOn: () => boolean,
  connections: number,
  send: Send,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  const one = async (_: unknown, connection: number) => {
    while (mayGoOn()) {
      const sent = performance.now();
      await send(connection);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return latencies;
}

/**
 * A server that stalls does not put off the requests that are due meanwhile: they wait for a connection,
 * and the wait is counted (no coordinated omission).
 */
async function openLoop(
  { seconds, perSecond, offset }: Extract<Pace, { kind: "open" }>,
  connections: number,
  send: Send,
): Promise<readonly number[]> {
  const interval = 1_000 / perSecond;
  const start = performance.now() + interval * offset;
  const total = Math.floor(seconds * perSecond);
  const latencies: number[] = [];
  let next = 0;
  const one = async (_: unknown, connection: number) => {
    while (next < total) {
      const due = start + next * interval;
      next += 1;
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      await send(connection);
      latencies.push(performance.now() - due);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return latencies;
}
