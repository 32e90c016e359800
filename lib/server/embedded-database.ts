// biome-ignore-all lint/style/noRestrictedImports: the database has a role for the server, which owns nothing
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import { ensureRole } from "@/lib/postgres/migrate";
import { lockDataDir } from "./data-lock";
import { type Account, databaseAccount } from "./database-account";
import {
  createCluster,
  databaseName,
  newPassword,
  serverPasswordFile,
  serverRole,
  superuser,
} from "./database-cluster";
import { databaseHome } from "./database-home";
import { choosePort, rememberPort } from "./database-port";
import { type Programs, postgresPrograms } from "./postgres-binaries";
import { readPostmaster, serves } from "./postmaster";
import { run } from "./run-command";
import { keepSecret } from "./secret-file";

export type EmbeddedDatabase = {
  /** Of the role that owns everything. */
  readonly url: string;
  /** Of the role that the server runs as. */
  readonly serverUrl: string;
  /** Starts it again, at the same address, when it has died. True when it had. */
  revive(): Promise<boolean>;
  stop(): Promise<void>;
};

type Place = {
  readonly home: string;
  readonly cluster: string;
  readonly as: Account;
  readonly programs: Programs;
};

const startSeconds = 60;
const stopSeconds = 60;

/**
 * A real PostgreSQL of our own, with its files below `dataDir`; it listens on 127.0.0.1 only. What
 * an earlier server left running (kill -9) is attached to, and `stop` stops it all the same. Throws
 * a SettingError when another server holds the folder or no PostgreSQL can run here.
 */
export async function startEmbeddedDatabase({
  dataDir,
  lockPatienceMs,
}: {
  readonly dataDir: string;
  /** How long another server may take to let go of the folder. */
  readonly lockPatienceMs?: number;
}): Promise<EmbeddedDatabase> {
  const unlock = await lockDataDir(dataDir, lockPatienceMs);
  try {
    const as = databaseAccount();
    const home = await databaseHome(path.resolve(dataDir), as);
    const programs = await postgresPrograms(home, as);
    const place = { home, as, programs, cluster: path.join(home, "cluster") };
    const password = await createCluster(place);
    const port = (await attach(place.cluster)) ?? (await start(place));
    const urlOf = (role: string, secret: string) =>
      `postgres://${role}:${secret}@127.0.0.1:${port}/${databaseName}`;
    const url = urlOf(superuser, password);
    const serverPassword = await keepSecret(path.join(home, serverPasswordFile), newPassword);
    await ensureRole(url, serverRole, serverPassword);
    let stopping: Promise<void> | undefined;
    const revive = async () => {
      if (stopping !== undefined || (await attach(place.cluster)) !== undefined) return false;
      await startAt(place, port);
      return true;
    };
    return {
      revive,
      url,
      serverUrl: urlOf(serverRole, serverPassword),
      stop: () => {
        stopping ??= stop(place).finally(unlock);
        return stopping;
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** The port of a server that already runs on this folder, once it takes connections. */
async function attach(cluster: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < startSeconds * 10; attempt += 1) {
    const found = await readPostmaster(cluster);
    if (found === undefined) return undefined;
    if (!(await serves(found, cluster))) {
      // PostgreSQL would take the process that now has this number for a living server.
      await rm(path.join(cluster, "postmaster.pid"), { force: true });
      return undefined;
    }
    if (found.ready) return found.port;
    await sleep(100);
  }
  return undefined;
}

async function start(place: Place): Promise<number> {
  let failure: unknown;
  // Between choosing a free port and listening on it another process can take it.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = await choosePort(place.home);
    failure = await startAt(place, port).catch((error: unknown) => error);
    if (failure !== undefined) continue;
    await rememberPort(place.home, port);
    return port;
  }
  throw failure;
}

async function startAt({ home, cluster, as, programs }: Place, port: number): Promise<void> {
  const logFile = path.join(home, "postgres.log");
  const options = ["-D", cluster, "-l", logFile, "-o", `-p ${port}`, "-t", `${startSeconds}`];
  const user = { as, cwd: home };
  const { code, output } = await run(programs.pgCtl, ["start", "-w", ...options], user);
  if (code === 0) return;
  const log = await readFile(logFile, "utf8").catch(() => output);
  const last = log.trim().split("\n").at(-1);
  throw new SettingError(`DATA_DIR: our PostgreSQL does not start (${last}); see ${logFile}`);
}

/** Fast shutdown: connections are closed, what is committed is on the disk. */
async function stop({ home, cluster, as, programs }: Place): Promise<void> {
  const ask = (mode: string) =>
    run(programs.pgCtl, ["stop", "-w", "-D", cluster, "-m", mode, "-t", `${stopSeconds}`], {
      as,
      cwd: home,
    });
  const fast = await ask("fast");
  if (fast.code !== 0 && (await readPostmaster(cluster)) !== undefined) await ask("immediate");
}
