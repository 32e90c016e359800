import { parseArgs } from "node:util";
import type { Outcome, Size } from "./campaign";
import { killServer } from "./kill-server";
import { isFlawless, type Outcomes, report } from "./report";
import { stopDatabase } from "./stop-database";

/** `npm run faults`: the bank is broken under clients that pay, and nothing may be lost or doubled. */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    stops: { type: "string", default: "20" },
    clients: { type: "string", default: "8" },
    seconds: { type: "string", default: "2" },
  },
});

const stopped = new AbortController();
// The servers get it too; what is left is to take away what this process has started.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

async function runAll(): Promise<Outcomes> {
  const common = { clients: whole("clients", 1), seconds: whole("seconds", 1) };
  const signal = stopped.signal;
  const parts: Record<string, readonly [count: number, part: (size: Size) => Promise<Outcome>]> = {
    "kill -9": [whole("kills", 0), killServer],
    "immediate stop": [whole("stops", 0), stopDatabase],
  };
  const outcomes: Record<string, Outcome> = {};
  for (const [name, [faults, part]] of Object.entries(parts)) {
    if (faults === 0) continue;
    console.log(`${faults} times ${name} under ${common.clients} clients.`);
    outcomes[name] = await part({ ...common, faults, signal });
  }
  return outcomes;
}

function whole(name: keyof typeof values, least: number): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < least) {
    throw new Error(`--${name} is a whole number from ${least}`);
  }
  return value;
}

const outcomes = await runAll().catch((error: unknown) => {
  if (stopped.signal.aborted) process.exit(1);
  throw error;
});
console.log(`\n${report(outcomes)}`);
process.exitCode = isFlawless(outcomes) ? 0 : 1;
