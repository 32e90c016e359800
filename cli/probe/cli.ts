import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { databaseUrl } from "@/cli/bank/database-url";
import type { Settings } from "@/lib/config";
import { type ProbedInterface, type ProbeRun, probing } from "@/lib/domain/interface-figures";
import { connect } from "@/lib/postgres/client";
import { interfaceFigures } from "@/lib/postgres/interface-figures";
import { loadSettings } from "@/lib/server/hosts";
import { systemClock } from "@/lib/system-clock";
import { probe } from "./probe";

const HELP = `npm run probe [-- --once]

Sends a request to both interfaces every ${probing.everySeconds} seconds, as their callers reach them (XS2A_URL, WEB_URL), and writes
into the database when one did not reply: downtime is computed of it (EBA/GL/2018/07, 2.4). While the database is
unavailable, what was seen waits here. Run one, apart from the servers, on another machine if possible.

  --once   ${probing.consecutive} requests each, as many as make an outage: prints the results, and ends with 1 when one had
           no reply; for a cron job`;

const { values } = parseArgs({
  options: { once: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
if (values.help) console.log(HELP);
else await run(loadSettings(), values.once);

async function run(settings: Settings, once: boolean): Promise<void> {
  const dispatcher = new Agent({ connect: await authorityOf(settings), pipelining: 0 });
  const { write, close } = writer(settings);
  let stopped = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stopped = true;
    });
  }
  let due = performance.now();
  let [round, missed] = [0, 0];
  await probe({
    isAnswered: (of) => isAnswered(originOf(settings, of), dispatcher),
    clock: systemClock,
    next: async () => {
      round += 1;
      if (once && round === probing.consecutive) return false;
      due += probing.everySeconds * 1_000;
      while (!stopped && performance.now() < due) await sleep(100);
      return !stopped;
    },
    seen: ({ interface: of, lastAt, answered, probes }) => {
      if (once || probes === 1)
        console.log(`${lastAt.toISOString()} ${of} ${answered ? "replied" : "DID NOT REPLY"}`);
      if (!answered) missed += 1;
    },
    write,
  });
  await close();
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

/** After a failure it connects again: the database may be on another host. */
function writer(settings: Settings) {
  let connection: ReturnType<typeof connect> | undefined;
  const close = async () => {
    const closed = connection;
    connection = undefined;
    await closed?.close();
  };
  return {
    write: async (runs: readonly ProbeRun[]) => {
      try {
        connection ??= connect(await databaseUrl(settings), { max: 1 });
        await interfaceFigures(connection.db).keepRuns(runs);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}
