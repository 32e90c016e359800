import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { severalServers } from "@/e2e/harness/several-servers";
import { aim } from "./aim";
import { campaign, type Outcome, type Size } from "./campaign";

const AWAY_AT_MOST_MS = 2_000;

/** PostgreSQL stopped with `immediate` under a server that stays up and has to find it again. */
export async function stopDatabase(size: Size): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-faults-"));
  try {
    const { database, each, stop } = await severalServers(folder, 1);
    try {
      return await campaign({
        clients: size.clients,
        outages: true,
        bank: each[0],
        databaseUrl: database.url,
        torment: async (run) => {
          for (let nth = 0; nth < size.faults; nth += 1) {
            await aim(run, nth, size);
            await database.breakDown();
            await sleep(randomInt(AWAY_AT_MOST_MS));
            await database.startAgain();
          }
        },
      });
    } finally {
      await stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
