import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "@/lib/server/embedded-database";
import { ensureRole, migrate } from "./migrate";
import { migrationsFolder } from "./schema-version";

const prefix = "drawbridge-cluster-";

declare module "vitest" {
  export interface ProvidedContext {
    /** Of a role that may do everything. */
    databaseUrl: string;
    /** Of the role that the server runs as, which owns nothing. */
    serverUrl: string;
    /** Copied for every test file; empty as long as there are no migrations. */
    templateDatabase: string;
  }
}

/** One PostgreSQL for all test files: TEST_DATABASE_URL's, or one of our own in a folder that goes. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  try {
    const template = `template_${process.pid}_${Date.now()}`;
    const sql = postgres(cluster.url, { max: 1 });
    await sql`create database ${sql(template)}`;
    if (existsSync(path.join(migrationsFolder, "meta/_journal.json"))) {
      await migrate(databaseOf(cluster.url, template), {
        serverUrl: databaseOf(cluster.serverUrl, template),
      });
    }
    project.provide("databaseUrl", cluster.url);
    project.provide("serverUrl", cluster.serverUrl);
    project.provide("templateDatabase", template);
    return async () => {
      await sql`drop database ${sql(template)} with (force)`;
      await sql.end();
      await cluster.stop();
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

export function databaseOf(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

type Cluster = Pick<EmbeddedDatabase, "url" | "serverUrl" | "stop">;

async function startCluster(): Promise<Cluster> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined && given !== "") return givenCluster(given);
  await removeLeftovers();
  const dataDir = await mkdtemp(path.join(tmpdir(), prefix));
  const cluster = await startEmbeddedDatabase({ dataDir });
  const stop = async () => {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  await forTests(cluster).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { ...cluster, stop };
}

async function givenCluster(url: string): Promise<Cluster> {
  const [username, password] = ["drawbridge_test_server", "test"];
  await ensureRole(url, username, password);
  const serverUrl = Object.assign(new URL(url), { username, password }).href;
  return { url, serverUrl, stop: async () => undefined };
}

/**
 * What is in it goes with the run: to have each database that is dropped on the disk first takes a second. Nor
 * does anybody guess its password: to make that hard takes most of the time of opening a connection.
 */
async function forTests({ url, serverUrl }: EmbeddedDatabase): Promise<void> {
  const sql = postgres(url, { max: 1 });
  for (const setting of ["fsync", "full_page_writes", "synchronous_commit", "autovacuum"]) {
    await sql`alter system set ${sql(setting)} = off`;
  }
  await sql`select pg_reload_conf()`;
  await sql`set scram_iterations = 1`;
  for (const { username, password } of [url, serverUrl].map((one) => new URL(one))) {
    await sql.unsafe(`alter role ${username} password '${password}'`);
  }
  await sql.end();
}

/** Ends what a killed test run left running. The clusters of living runs are locked by them. */
async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const dataDir = path.join(tmpdir(), name);
    // Without a lock it is one that another run begins or ends just now.
    if (!existsSync(path.join(dataDir, "lock"))) continue;
    const left = await startEmbeddedDatabase({ dataDir, lockPatienceMs: 0 }).catch(() => undefined);
    await left?.stop();
    if (left !== undefined) await rm(dataDir, { recursive: true, force: true });
  }
}
