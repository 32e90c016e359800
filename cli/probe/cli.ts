import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { databaseUrl } from "@/cli/bank/database-url";
import type { Settings } from "@/lib/config";
import {
  addProbe,
  type ProbedInterface,
  type ProbeRun,
  probedInterfaces,
  probing,
} from "@/lib/domain/interface-figures";
import { connect } from "@/lib/postgres/client";
import { interfaceFigures } from "@/lib/postgres/interface-figures";
import { loadSettings } from "@/lib/server/hosts";
import { systemClock } from "@/lib/system-clock";

const HELP = `npm run probe [-- --once]

Sends a request to both interfaces every ${probing.everySeconds} seconds, as their callers reach them (XS2A_URL, WEB_URL), and writes
into the database when one did not reply: downtime is computed of it (EBA/GL/2018/07, 2.4). While the database is
unavailable, what was seen waits here. Run one, apart from the servers, on another machine if possible.

  --once   ${probing.consecutive} requests each, as many as make an outage: prints the results, and ends with 1 when one had
           no reply; for a cron job`;

/** Runs that wait for the database: of a day in which replies come and go all the time. */
const WAITING_MAX = 30_000;

const { values } = parseArgs({
  options: { once: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
if (values.help) console.log(HELP);
else await probe(loadSettings(), values.once);

async function probe(settings: Settings, once: boolean): Promise<void> {
  const dispatcher = new Agent({ connect: await authorityOf(settings), pipelining: 0 });
  const written = writer(settings);
  const runs = new Map<ProbedInterface, ProbeRun>();
  let stopped = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stopped = true;
    });
  }
  let next = performance.now();
  let missed = 0;
  for (let round = 1; !stopped; round += 1) {
    const at = await systemClock.now();
    await Promise.all(
      probedInterfaces.map(async (of) => {
        const answered = await isAnswered(originOf(settings, of), dispatcher);
        const before = runs.get(of);
        const run = addProbe(before, { interface: of, at, answered });
        if (once || before?.beganAt !== run.beganAt)
          console.log(`${at.toISOString()} ${of} ${answered ? "replied" : "DID NOT REPLY"}`);
        if (!answered) missed += 1;
        runs.set(of, run);
        written.keep(run);
      }),
    );
    await written.flush();
    if (once && round === probing.consecutive) break;
    next += probing.everySeconds * 1_000;
    while (!stopped && performance.now() < next) await sleep(100);
  }
  await written.close();
  await dispatcher.close();
  if (once && missed > 0) process.exitCode = 1;
}

function originOf({ XS2A_URL, WEB_URL }: Settings, of: ProbedInterface): string {
  return of === "xs2a" ? XS2A_URL : WEB_URL;
}

/** A reply is one that a caller could use: a server without its database or its core bank has none. */
async function isAnswered(origin: string, dispatcher: Agent): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(probing.answerSecondsMax * 1_000);
    const { statusCode, body } = await request(`${origin}/health/ready`, { dispatcher, signal });
    return (await body.text()) === "ready\n" && statusCode === 200;
  } catch {
    return false;
  }
}

/** A sandbox's certificate has been issued by its own authority. */
async function authorityOf({ SANDBOX, DATA_DIR }: Settings) {
  const file = path.join(path.resolve(DATA_DIR), "ca", "ca.pem");
  return SANDBOX ? { ca: await readFile(file, "utf8") } : {};
}

function writer(settings: Settings) {
  const waiting = new Map<string, ProbeRun>();
  let connection: ReturnType<typeof connect> | undefined;
  return {
    keep: (run: ProbeRun) => {
      const key = `${run.interface} ${run.beganAt.toISOString()}`;
      if (waiting.has(key) || waiting.size < WAITING_MAX) waiting.set(key, run);
    },
    /** What cannot be written now is written with what comes next; a run that is written twice is one run. */
    flush: async () => {
      const runs = [...waiting.values()];
      try {
        connection ??= connect(await databaseUrl(settings), { max: 1 });
        await interfaceFigures(connection.db).keepRuns(runs);
        waiting.clear();
      } catch (error) {
        const code = error instanceof Error ? error.name : typeof error;
        console.error(`the database takes nothing at the moment (${code}); ${runs.length} wait`);
        await connection?.close();
        connection = undefined;
      }
    },
    close: async () => connection?.close(),
  };
}
