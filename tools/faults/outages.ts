import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { databaseUrl } from "@/cli/bank/database-url";
import { type OwnDatabase, ownDatabase, stopLeftDatabase } from "@/e2e/harness/own-database";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { readSettings } from "@/lib/config";
import { connect, type Database } from "@/lib/postgres/client";
import type { ClusterNode } from "@/tools/cluster/cluster";
import { type Cluster, startCluster } from "@/tools/cluster/cluster";
import { campaign, inFolder, PATIENCE_MS, recovered, type Size, timesOf } from "./campaign";
import type { Outcome } from "./journal";
import { leaderFaults, patroniCluster } from "./patroni";
import type { Run } from "./tpp";

const SERVERS = 3;
/** Beside three PostgreSQL and what looks after them. */
const SERVERS_ON_PATRONI = 2;
const WRITES_BACK_WITHIN_MS = 15_000;
const WRITTEN_EVERY_MS = 50;
const DATABASE_GONE_AT_MOST_MS = 2_000;
const KILLED_EVERY_MS = 200;
/** Longer than an idle connection of a client lives here, and than the front takes to notice. */
const DRAIN_SECONDS = "3";

/** With keep-alive: a connection that stays open is what an ending server has to be careful with. */
export const IN_ORDER = { KEEP_ALIVE: "true", DRAIN_SECONDS };

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

/** The leader is lost in one way after the other, and Patroni makes a standby the next, under servers that know all hosts. */
export function failOver(size: Size): Promise<Outcome> {
  return inFolder(async (folder) => {
    const database = await patroniCluster(folder);
    const wanted = { folder, count: SERVERS_ON_PATRONI, databaseUrl: database.url };
    try {
      return await during(wanted, async (cluster) => {
        const writer = connect(database.url, { max: 1 });
        await writer.db.execute(sql`create table written (at timestamptz)`);
        try {
          return await campaign({
            ...{ clients: size.clients, mayFail: "a service", bank: cluster.bank },
            databaseUrl: database.leaderUrl,
            breakAgain: (run) =>
              timesOf(size, run, async (nth) => {
                const began = performance.now();
                const fault = leaderFaults[nth % leaderFaults.length] ?? "kill";
                const former = database.leaderPort();
                const mend = await database.faults[fault]();
                await writtenElsewhere(writer.db, former);
                const writes = Math.round(performance.now() - began);
                const within = { began, withinMs: WRITES_BACK_WITHIN_MS };
                await recovered(run, serversOf(cluster), size, within);
                console.log(`${fault}: writes back after ${writes} ms`);
                await mend();
                await database.untilWhole();
              }),
          });
        } finally {
          await writer.close();
        }
      });
    } finally {
      await database.stop();
    }
  });
}

/** Until another PostgreSQL than the former leader has committed, by a connection like those of the servers. */
async function writtenElsewhere(db: Database, former: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const [row] = await db
      .execute<{ port: number }>(
        sql`insert into written values (now()) returning inet_server_port() as port`,
      )
      .catch(() => []);
    if (row !== undefined && row.port !== former) return;
    await sleep(WRITTEN_EVERY_MS);
  }
  throw new Error("no standby has become the leader");
}

/** One server after the other is asked to end and started again, and no request fails. */
export function restartNodes(size: Size): Promise<Outcome> {
  return withCluster({ settings: IN_ORDER }, ({ bank, nodes }, database) =>
    campaign({
      ...{ clients: size.clients, mayFail: "nothing", bank, databaseUrl: () => database.url },
      breakAgain: (run) =>
        timesOf(size, run, (nth) => startedAgain(run, nodes[nth % nodes.length])),
    }),
  );
}

export async function startedAgain(
  { journal: { tally, late } }: Run,
  node: ClusterNode | undefined,
  from?: Parameters<ClusterNode["start"]>[0],
): Promise<void> {
  const code = await node?.terminate();
  if (code === 0) tally["servers ended in order"] += 1;
  else late.push(`a server that was asked to end did so with ${code}`);
  await node?.start(from);
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
export function withCluster<Result>(
  given: Partial<Wanted>,
  work: (cluster: Cluster, database: OwnDatabase) => Promise<Result>,
): Promise<Result> {
  return inFolder(async (folder) => {
    const database = await ownDatabase(join(folder, "database"));
    try {
      const wanted = { folder, count: SERVERS, databaseUrl: database.url, ...given };
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
