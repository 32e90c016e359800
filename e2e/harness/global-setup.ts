import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@/tools/cluster/cluster";
import { checkNothingLeaked, type Written } from "./log-leaks/nothing-leaked";
import { keepStandardAsJson } from "./openapi";
import { ownDatabase } from "./own-database";
import { freshSettings, logFileOf, type ServerSettings, startServer } from "./server";

type Bank = {
  readonly settings: ServerSettings;
  readonly stop: () => Promise<void>;
  readonly written: () => readonly Written[];
};

/**
 * One bank for the whole run; where it is, the workers learn from the environment. With CLUSTER=1 it is
 * three servers behind a round robin, and each request goes to another one. When all is over, none of
 * its customers' data may be in its log.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-e2e-"));
  const { settings, stop, written } = await (process.env["CLUSTER"] === "1"
    ? three(folder)
    : one(folder));
  keepStandardAsJson(folder);
  process.env["E2E_SERVER"] = JSON.stringify(settings);
  return async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
    checkNothingLeaked(written());
  };
}

async function one(folder: string): Promise<Bank> {
  // With more lines more secrets could get into the log.
  const settings = { ...(await freshSettings(folder)), shared: { REQUEST_LOG: "true" } };
  const { stop, output } = await startServer(settings);
  return { settings, stop, written: () => [writtenBy({ settings, output })] };
}

async function three(folder: string): Promise<Bank> {
  const database = await ownDatabase(join(folder, "database"));
  const cluster = await startCluster({
    ...{ folder, count: 3, databaseUrl: database.url },
    settings: { REQUEST_LOG: "true" },
  });
  const stop = async () => {
    const { xs2a, web } = cluster.given();
    console.log(`Requests by server: TPPs ${xs2a.join(", ")}; browsers ${web.join(", ")}`);
    await cluster.stop();
    await database.stop();
  };
  return { settings: cluster.bank, stop, written: () => cluster.nodes.map(writtenBy) };
}

type Server = { readonly settings: ServerSettings; readonly output: () => string };

function writtenBy({ settings, output }: Server): Written {
  return { file: logFileOf(settings), output: output() };
}
