import { parseArgs } from "node:util";
import type { Size } from "./campaign";
import { type Campaign, campaigns } from "./campaigns";

/**
 * `npm run faults`: the bank is broken under clients that use it, and nothing may be lost, doubled or
 * answered otherwise than promised. Without names every campaign runs, short; `--full` as promised: then
 * times decide too.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: "boolean", default: false },
    faults: { type: "string" },
    clients: { type: "string" },
    seconds: { type: "string" },
    nodes: { type: "string", default: "3" },
    "hostile-cores": { type: "string" },
  },
});

const stopped = new AbortController();
// The servers get it too; what is left is to take away what this process has started.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped.abort());

function sizeOf({ short, full }: Campaign): Size {
  const extent = values.full ? full : short;
  return {
    faults: whole("faults", extent.faults),
    clients: whole("clients", extent.clients),
    seconds: whole("seconds", extent.seconds),
    nodes: whole("nodes", 3),
    hostileCores: values["hostile-cores"],
    judgesTimes: values.full,
    signal: stopped.signal,
  };
}

function whole(name: "faults" | "clients" | "seconds" | "nodes", otherwise: number): number {
  const value = Number(values[name] ?? otherwise);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1`);
  return value;
}

function chosen(): readonly (readonly [string, Campaign])[] {
  const names = positionals.length > 0 ? positionals : Object.keys(campaigns);
  return names.map((name) => {
    const campaign = campaigns[name];
    if (campaign !== undefined) return [name, campaign];
    throw new Error(`no campaign ${name}; there are ${Object.keys(campaigns).join(", ")}`);
  });
}

const failed: string[] = [];
try {
  for (const [name, campaign] of chosen()) {
    const size = sizeOf(campaign);
    const { faults, clients, nodes } = size;
    console.log(`\n${name}: ${campaign.what}.`);
    console.log(
      `${faults} ${campaign.unit}; ${clients} clients; ${nodes} servers where there are several.`,
    );
    const { text, passed } = await campaign.run(size);
    console.log(`\n${text}\n\n${name}: ${passed ? "passed" : "FAILED"}`);
    if (!passed) failed.push(name);
  }
} catch (error) {
  if (!stopped.signal.aborted) throw error;
  process.exitCode = 1;
}
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
