import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrl } from "@/cli/bank/database-url";
import { stopLeftDatabase } from "@/e2e/harness/own-database";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { readSettings } from "@/lib/config";
import { aim } from "./aim";
import { campaign, type Outcome, type Size } from "./campaign";

/** `kill -9` of the server, whose PostgreSQL goes on without it until the next one takes it over. */
export async function killServer(size: Size): Promise<Outcome> {
  const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-faults-"));
  const bank = await freshSettings(dataDir);
  let server = await startServer(bank);
  try {
    const url = await databaseUrl(readSettings({ DATA_DIR: dataDir }));
    return await campaign({
      clients: size.clients,
      mayFail: "an answer",
      bank,
      databaseUrl: () => url,
      torment: async (run) => {
        for (let nth = 0; nth < size.faults; nth += 1) {
          await aim(run, nth, size);
          await server.kill();
          run.tally.faults += 1;
          server = await startServer(bank);
        }
      },
    });
  } finally {
    await server.stop();
    await stopLeftDatabase(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}
