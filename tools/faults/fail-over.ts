import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { aim } from "./aim";
import { campaign, type Outcome, type Size } from "./campaign";
import { inFolder, withCluster } from "./in-folder";
import { recovered } from "./recovery";
import { replicatedDatabase } from "./replicated-database";

const NOTICED_AT_MOST_MS = 1_000;

/** The primary dies and its synchronous standby takes over, under servers that know both hosts. */
export function failOver(size: Size): Promise<Outcome> {
  return inFolder(async (folder) => {
    const database = await replicatedDatabase(folder);
    try {
      const { url } = database;
      return await withCluster({ folder, count: size.nodes, databaseUrl: url }, (cluster) =>
        campaign({
          clients: size.clients,
          mayFail: "the database",
          bank: cluster.bank,
          databaseUrl: database.primaryUrl,
          torment: async (run) => {
            for (let nth = 0; nth < size.faults; nth += 1) {
              await aim(run, nth, size);
              await database.killPrimary();
              run.tally.faults += 1;
              await sleep(randomInt(NOTICED_AT_MOST_MS));
              await database.promote();
              await recovered(
                run,
                cluster.nodes.map(({ settings }) => settings),
                size,
              );
              await database.newStandby();
            }
          },
        }),
      );
    } finally {
      await database.stop();
    }
  });
}
