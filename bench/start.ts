import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownDatabase } from "@/e2e/harness/own-database";
import {
  freshSettings,
  type RunningServer,
  type ServerSettings,
  startServer,
} from "@/e2e/harness/server";
import { buildWhenNeeded } from "@/lib/server/build";
import { type Closings, closingAfter } from "./closings";
import { median } from "./measure/statistics";
import { temporaryFolder } from "./ready-bank";

/** Milliseconds from the start of the process until it says that it is ready. */
export type Waited = {
  readonly median: number;
  readonly most: number;
  readonly each: readonly number[];
};
export type Starts = {
  /** With the PostgreSQL in its folder, which it starts. */
  readonly own: Waited;
  /** With one that runs. */
  readonly given: Waited;
};

const ROOT = join(import.meta.dirname, "..");
const STARTS = 5;
const LOOK_MS = 10;
const PATIENCE_MS = 120_000;

type Say = (line: string) => void;

/** How long a built server takes to start on a database that is there already. */
export function start(say: Say): Promise<Starts> {
  return closingAfter(async (closings) => {
    await buildWhenNeeded(ROOT, new AbortController().signal);
    const folder = await temporaryFolder(closings);
    const own = await freshSettings(join(folder, "own"));
    const database = await ownDatabase(join(folder, "database"));
    closings.add(database.stop);
    const alone = await freshSettings(join(folder, "given"));
    const given = { ...alone, shared: { DATABASE_URL: database.url } };
    return {
      own: await waited(own, closings, (line) => say(`its own PostgreSQL: ${line}`)),
      given: await waited(given, closings, (line) => say(`a running PostgreSQL: ${line}`)),
    };
  });
}

async function waited(settings: ServerSettings, closings: Closings, say: Say): Promise<Waited> {
  // The first one makes the demo bank, and is not counted.
  const first = await startServer(settings);
  closings.add(first.stop);
  await first.stop();
  const each: number[] = [];
  while (each.length < STARTS) {
    const { server, milliseconds } = await timed(settings);
    closings.add(server.stop);
    await server.stop();
    each.push(milliseconds);
    say(`ready after ${milliseconds.toFixed(0)} ms`);
  }
  return { median: median(each), most: Math.max(...each), each };
}

type Timed = { readonly server: RunningServer; readonly milliseconds: number };

async function timed(settings: ServerSettings): Promise<Timed> {
  const begun = performance.now();
  const over = new AbortController();
  const ready = readyAt(settings, over.signal);
  // Where the server does not start, that is what is to be said.
  ready.catch(() => undefined);
  try {
    const server = await startServer(settings);
    return { server, milliseconds: (await ready) - begun };
  } finally {
    over.abort();
  }
}

async function readyAt({ webUrl }: ServerSettings, signal: AbortSignal): Promise<number> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`${webUrl}/health/ready`, { signal }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return performance.now();
    if (performance.now() > end)
      throw new Error("the server answers, but never says that it is ready");
    await sleep(LOOK_MS, undefined, { signal });
  }
}
