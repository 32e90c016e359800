import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@/cluster/cluster";
import { ownDatabase } from "./own-database";
import { freshSettings, type ServerSettings, startServer } from "./server";

type Bank = { readonly settings: ServerSettings; readonly stop: () => Promise<void> };

/**
 * One bank for the whole run; where it is, the workers learn from the environment. With CLUSTER=1 it is
 * three servers behind a round robin, and each request goes to another one.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-e2e-"));
  const { settings, stop } = await (process.env["CLUSTER"] === "1" ? three(folder) : one(folder));
  process.env["E2E_SERVER"] = JSON.stringify(settings);
  return async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function one(folder: string): Promise<Bank> {
  const settings = await freshSettings(folder);
  const { stop } = await startServer(settings);
  return { settings, stop };
}

async function three(folder: string): Promise<Bank> {
  const database = await ownDatabase(join(folder, "database"));
  const cluster = await startCluster({ folder, count: 3, databaseUrl: database.url });
  const stop = async () => {
    const { xs2a, web } = cluster.given();
    console.log(`Requests by server: TPPs ${xs2a.join(", ")}; browsers ${web.join(", ")}`);
    await cluster.stop();
    await database.stop();
  };
  return { settings: cluster.bank, stop };
}
