import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { aim } from "./aim";
import { campaign, type Outcome, type Size } from "./campaign";
import { inFolder, withCluster, withDatabase } from "./in-folder";
import { recovered } from "./recovery";

const AWAY_AT_MOST_MS = 2_000;

/** PostgreSQL stopped with `immediate` under servers that stay up and have to find it again. */
export function stopDatabase(size: Size): Promise<Outcome> {
  return inFolder((folder) =>
    withDatabase(folder, (database) =>
      withCluster({ folder, count: size.nodes, databaseUrl: database.url }, ({ bank, nodes }) =>
        campaign({
          clients: size.clients,
          mayFail: "the database",
          bank,
          databaseUrl: () => database.url,
          torment: async (run) => {
            for (let nth = 0; nth < size.faults; nth += 1) {
              await aim(run, nth, size);
              await database.breakDown();
              run.tally.faults += 1;
              await sleep(randomInt(AWAY_AT_MOST_MS));
              await database.startAgain();
              await recovered(
                run,
                nodes.map(({ settings }) => settings),
                size,
              );
            }
          },
        }),
      ),
    ),
  );
}
