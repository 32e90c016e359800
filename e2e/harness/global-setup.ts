import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshSettings, startServer } from "./server";

/** One bank for the whole run; where it is, the workers learn from the environment. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-e2e-"));
  const settings = await freshSettings(dataDir);
  const server = await startServer(settings);
  process.env["E2E_SERVER"] = JSON.stringify(settings);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
