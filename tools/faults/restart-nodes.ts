import { aim } from "./aim";
import { campaign, type Outcome, type Size } from "./campaign";
import { inFolder, withCluster, withDatabase } from "./in-folder";
import type { Run } from "./tpp";

/** Longer than an idle connection of a client lives here, and than the front takes to notice. */
const DRAIN_SECONDS = "3";

/** One server after the other is asked to end and started again; nobody notices. */
export function restartNodes(size: Size): Promise<Outcome> {
  // With keep-alive: a connection that stays open is what an ending server has to be careful with.
  const settings = { KEEP_ALIVE: "true", DRAIN_SECONDS };
  return inFolder((folder) =>
    withDatabase(folder, (database) =>
      withCluster(
        { folder, count: size.nodes, databaseUrl: database.url, settings },
        ({ bank, nodes }) =>
          campaign({
            clients: size.clients,
            mayFail: "nothing",
            bank,
            databaseUrl: () => database.url,
            torment: async (run) => {
              for (let nth = 0; nth < size.faults; nth += 1) {
                await aim(run, nth, size);
                const node = nodes[nth % nodes.length];
                if (node === undefined) throw new Error("no servers");
                run.tally.faults += 1;
                noteEnd(run, await node.terminate());
                await node.start();
              }
            },
          }),
      ),
    ),
  );
}

function noteEnd({ tally, notebook }: Run, code: number | null): void {
  if (code === 0) tally["servers ended in order"] += 1;
  else notebook.delays.push(`a server that was asked to end did so with ${code}`);
}
