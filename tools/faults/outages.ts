import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseUrl } from "@/cli/bank/database-url";
import { type OwnDatabase, ownDatabase, stopLeftDatabase } from "@/e2e/harness/own-database";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { readSettings } from "@/lib/config";
import type { ClusterNode } from "@/tools/cluster/cluster";
import { type Cluster, startCluster } from "@/tools/cluster/cluster";
import { campaign, inFolder, recovered, type Size, timesOf } from "./campaign";
import type { Outcome } from "./journal";
import { replicatedDatabase } from "./replicated-database";
import type { Run } from "./tpp";

const SERVERS = 3;
const DATABASE_GONE_AT_MOST_MS = 2_000;
const STANDBY_WAITS_AT_MOST_MS = 1_000;
const KILLED_EVERY_MS = 200;
/** Longer than an idle connection of a client lives here, and than the front takes to notice. */
const DRAIN_SECONDS = "3";

/** `kill -9` of the server, whose PostgreSQL goes on without it until the next one takes it over. */
export function killServer(size: Size): Promise<Outcome> {
  return inFolder(async (dataDir) => {
    const bank = await freshSettings(dataDir);
    let server = await startServer(bank);
    try {
      const url = await databaseUrl(readSettings({ DATA_DIR: dataDir }));
      return await campaign({
        ...{ clients: size.clients, mayFail: "an answer", bank, databaseUrl: () => url },
        breakAgain: (run) =>
          timesOf(size, run, async () => {
            await server.kill();
            server = await startServer(bank);
          }),
      });
    } finally {
      await server.stop();
      await stopLeftDatabase(dataDir);
    }
  });
}

/** PostgreSQL stopped with `immediate` under servers that stay up and have to find it again. */
export function stopDatabase(size: Size): Promise<Outcome> {
  return withCluster({}, (cluster, database) =>
    campaign({
      ...{ clients: size.clients, mayFail: "a service", bank: cluster.bank },
      databaseUrl: () => database.url,
      breakAgain: (run) =>
        timesOf(size, run, async () => {
          await database.breakDown();
          await sleep(randomInt(DATABASE_GONE_AT_MOST_MS));
          await database.startAgain();
          await recovered(run, serversOf(cluster), size);
        }),
    }),
  );
}

/** The primary dies and its synchronous standby takes over, under servers that know both hosts. */
export function failOver(size: Size): Promise<Outcome> {
  return inFolder(async (folder) => {
    const database = await replicatedDatabase(folder);
    try {
      const wanted = { folder, count: SERVERS, databaseUrl: database.url };
      return await during(wanted, (cluster) =>
        campaign({
          ...{ clients: size.clients, mayFail: "a service", bank: cluster.bank },
          databaseUrl: database.primaryUrl,
          breakAgain: (run) =>
            timesOf(size, run, async () => {
              await database.killPrimary();
              await sleep(randomInt(STANDBY_WAITS_AT_MOST_MS));
              await database.promote();
              await recovered(run, serversOf(cluster), size);
              await database.newStandby();
            }),
        }),
      );
    } finally {
      await database.stop();
    }
  });
}

/** One server after the other is asked to end and started again, and no request fails. */
export function restartNodes(size: Size): Promise<Outcome> {
  // With keep-alive: a connection that stays open is what an ending server has to be careful with.
  const settings = { KEEP_ALIVE: "true", DRAIN_SECONDS };
  return withCluster(settings, ({ bank, nodes }, database) =>
    campaign({
      ...{ clients: size.clients, mayFail: "nothing", bank, databaseUrl: () => database.url },
      breakAgain: (run) =>
        timesOf(size, run, async (nth) => {
          const { tally, late } = run.journal;
          const node = nodes[nth % nodes.length];
          const code = await node?.terminate();
          if (code === 0) tally["servers ended in order"] += 1;
          else late.push(`a server that was asked to end did so with ${code}`);
          await node?.start();
        }),
    }),
  );
}

/**
 * Every 200 ms a server is drawn, and killed if it is up; each is started again at once, and is up again when its start
 * is over. `faults` counts seconds.
 */
export function killNodes(size: Size): Promise<Outcome> {
  return withCluster({}, ({ bank, nodes }, database) =>
    campaign({
      ...{ clients: size.clients, mayFail: "an answer", bank, databaseUrl: () => database.url },
      breakAgain: (run) => killAtRandom(run, nodes, size),
    }),
  );
}

async function killAtRandom(
  { journal: { tally }, traffic }: Run,
  nodes: readonly ClusterNode[],
  { faults: seconds, signal }: Size,
): Promise<void> {
  const starting = new Map<ClusterNode, Promise<void>>();
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await sleep(KILLED_EVERY_MS, undefined, { signal });
    const node = nodes[randomInt(nodes.length)];
    if (node === undefined || starting.has(node)) continue;
    tally.faults += 1;
    if (traffic.inFlight() > 0) tally["faults while calls were in flight"] += 1;
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

const serversOf = ({ nodes }: Cluster) => nodes.map(({ settings }) => settings);

type Wanted = Parameters<typeof startCluster>[0];

/** Servers behind a round robin on a database of their own, which all end with the work. */
function withCluster<Result>(
  settings: NonNullable<Wanted["settings"]>,
  work: (cluster: Cluster, database: OwnDatabase) => Promise<Result>,
): Promise<Result> {
  return inFolder(async (folder) => {
    const database = await ownDatabase(join(folder, "database"));
    try {
      const wanted = { folder, count: SERVERS, databaseUrl: database.url, settings };
      return await during(wanted, (cluster) => work(cluster, database));
    } finally {
      await database.stop();
    }
  });
}

async function during<Result>(
  wanted: Wanted,
  work: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const cluster = await startCluster(wanted);
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}
