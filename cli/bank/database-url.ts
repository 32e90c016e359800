import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { SettingError, type Settings } from "@/lib/config";
import { primaryUrl } from "@/lib/postgres/primary";
import {
  databaseName,
  readPostmaster,
  serverPasswordFile,
  serverRole,
  serves,
} from "@/lib/server/embedded-database";

/**
 * The database the server uses: DATABASE_URL, else the PostgreSQL of its own that runs on DATA_DIR.
 * Throws a SettingError when none runs: only the server starts one, since it also stops it.
 */
export async function databaseUrl(settings: Settings): Promise<string> {
  const { DATABASE_URL, DATA_DIR } = settings;
  return DATABASE_URL === undefined
    ? runningDatabase(path.resolve(DATA_DIR))
    : primaryUrl(DATABASE_URL);
}

async function runningDatabase(dataDir: string): Promise<string> {
  const home = await databaseHome(dataDir);
  const cluster = path.join(home, "cluster");
  const found = await readPostmaster(cluster);
  if (!found?.ready || !(await serves(found, cluster))) {
    throw new SettingError(`no database runs on ${dataDir}: start the server first (npm start)`);
  }
  const password = (await readFile(path.join(home, serverPasswordFile), "utf8")).trim();
  return `postgres://${serverRole}:${password}@127.0.0.1:${found.port}/${databaseName}`;
}

/** DATA_DIR/pg, which is a file that names another folder where the server had to move out. */
async function databaseHome(dataDir: string): Promise<string> {
  const home = path.join(dataDir, "pg");
  const found = await stat(home).catch(() => undefined);
  return found?.isFile() ? (await readFile(home, "utf8")).trim() : home;
}
