import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnDatabase, ownDatabase } from "@/e2e/harness/own-database";
import { type Cluster, startCluster } from "@/tools/cluster/cluster";

/** Runs in a folder that is gone afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-faults-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Servers behind a round robin on this database; whatever is left of them ends with the work. */
export async function withCluster<Result>(
  wanted: Parameters<typeof startCluster>[0],
  work: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const cluster = await startCluster(wanted);
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

export async function withDatabase<Result>(
  folder: string,
  work: (database: OwnDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await ownDatabase(join(folder, "database"));
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}
