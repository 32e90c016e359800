import { mkdir } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ownDatabase } from "@/e2e/harness/own-database";
import type { ServerSettings } from "@/e2e/harness/server";
import { startCluster } from "./cluster";

/** `npm run cluster`: one bank of several server processes, until Ctrl-C. */
const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "3" },
    "xs2a-port": { type: "string", default: "8443" },
    "web-port": { type: "string", default: "3000" },
    folder: { type: "string", default: ".data/cluster" },
  },
});

const stopping = new AbortController();
// The servers get the terminal's Ctrl-C too; the database is to outlive them.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());

const folder = resolve(values.folder);
await mkdir(folder, { recursive: true });
const database = await ownDatabase(resolve(folder, "database"));
try {
  const cluster = await startCluster({
    folder,
    count: whole("nodes"),
    databaseUrl: database.url,
    ports: { xs2a: whole("xs2a-port"), web: whole("web-port") },
  });
  const { bank, nodes } = cluster;
  console.log(`TPPs     ${bank.xs2aUrl}\nBrowsers ${bank.webUrl}\nFolder   ${bank.dataDir}`);
  for (const { settings } of nodes) {
    console.log(`  a server at ${settings.xs2aPort} and ${settings.webPort}`);
  }
  console.log(`\nA TPP of its own reads accounts with\n  ${tryingOut(bank)}`);
  if (!stopping.signal.aborted) {
    await new Promise<void>((ended) => stopping.signal.addEventListener("abort", () => ended()));
  }
  const { xs2a, web } = cluster.given();
  console.log(`Requests by server: TPPs ${xs2a.join(", ")}; browsers ${web.join(", ")}`);
  await cluster.stop();
} finally {
  await database.stop();
}
// An interrupted start or an open connection would keep the process running.
process.exit(0);

/** Where the ports are those of a single server, the folder alone says which bank is meant. */
function tryingOut({ dataDir, xs2aUrl, webUrl }: ServerSettings): string {
  const isUsual = values["xs2a-port"] === "8443" && values["web-port"] === "3000";
  const where = isUsual ? [] : [`XS2A_URL=${xs2aUrl}`, `WEB_URL=${webUrl}`];
  return [`DATA_DIR=${relative(".", dataDir)}`, ...where, "npm run tpp -- accounts"].join(" ");
}

function whole(name: "nodes" | "xs2a-port" | "web-port"): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1`);
  return value;
}
