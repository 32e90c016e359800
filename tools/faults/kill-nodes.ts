import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterNode } from "@/tools/cluster/node";
import { campaign, type Outcome, type Size } from "./campaign";
import { inFolder, withCluster, withDatabase } from "./in-folder";
import type { Run } from "./tpp";

const EVERY_MS = 200;

/**
 * Every 200 ms a server is drawn, and killed if it is up; each is started again at once, and is up again
 * when its start is over. `faults` counts seconds.
 */
export function killNodes(size: Size): Promise<Outcome> {
  return inFolder((folder) =>
    withDatabase(folder, (database) =>
      withCluster({ folder, count: size.nodes, databaseUrl: database.url }, ({ bank, nodes }) =>
        campaign({
          clients: size.clients,
          mayFail: "an answer",
          bank,
          databaseUrl: () => database.url,
          torment: (run) => killAtRandom(run, nodes, size),
        }),
      ),
    ),
  );
}

async function killAtRandom(
  run: Run,
  nodes: readonly ClusterNode[],
  { faults: seconds, signal }: Size,
): Promise<void> {
  const starting = new Map<ClusterNode, Promise<void>>();
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await sleep(EVERY_MS, undefined, { signal });
    const node = nodes[randomInt(nodes.length)];
    if (node === undefined || starting.has(node)) continue;
    run.tally.faults += 1;
    if (run.traffic.inFlight() > 0) run.tally["faults while calls were in flight"] += 1;
    const again = node
      .kill()
      .then(() => node.start())
      .finally(() => starting.delete(node));
    // Waited for at the end; a start that fails there fails the run.
    again.catch(() => undefined);
    starting.set(node, again);
  }
  await Promise.all(starting.values());
  await Promise.all(nodes.map((node) => node.start()));
}
