import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { bareServer } from "./bare-server";
import { putLoad } from "./load";
import { type PermittedCall, permittedCall } from "./permission";
import { type Machine, type Results, report } from "./report";

/** `GET /v1/accounts` with every check on, beside a bare `node:http` handler in the same run. */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    connections: { type: "string", default: "16" },
  },
});

async function run(seconds: number, connections: number): Promise<Results> {
  console.log("Starting a bank with data of its own; a build comes first when there is none.");
  const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-bench-"));
  try {
    const bank = await freshSettings(dataDir);
    const server = await startServer(bank);
    try {
      return await measure(await permittedCall(bank), { seconds, connections });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(
  { url, headers, certificates, body }: PermittedCall,
  size: { readonly seconds: number; readonly connections: number },
): Promise<Results> {
  const load = { ...certificates, headers, ...size };
  console.log(`Measuring Drawbridge, then the bare handler, ${size.seconds} s each.`);
  const drawbridge = await putLoad({ ...load, url, freshlySigned: true });
  const plain = await bareServer(body);
  try {
    const bare = await putLoad({ ...load, url: plain.url, freshlySigned: false });
    const bodyBytes = Buffer.byteLength(body);
    return { drawbridge, bare, ...size, bodyBytes, machine: machine() };
  } finally {
    await plain.close();
  }
}

function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown processor",
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  };
}

function positive(name: "seconds" | "connections"): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1`);
  return value;
}

const results = await run(positive("seconds"), positive("connections"));
console.log(`\n${report(results)}`);
const file = join(import.meta.dirname, "results.json");
await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
