import {
  appendFile,
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { childrenOf } from "@/e2e/harness/processes";
import { steadyPort } from "@/e2e/harness/steady-port";
import {
  type Account,
  createCluster,
  databaseAccount,
  databaseName,
  type Programs,
  postgresPrograms,
  readPostmaster,
  run,
  superuser,
} from "@/lib/server/embedded-database";
import { isRunning } from "@/lib/server/lock-file";

/** A PostgreSQL with a synchronous standby. */
export type ReplicatedDatabase = {
  /** With both hosts, as DATABASE_URL has them. */
  readonly url: string;
  /** The primary alone, which of the two it is now. */
  readonly primaryUrl: () => string;
  readonly standbyUrl: () => string;
  /** As if its machine had lost its power: every process at once. */
  readonly killPrimary: () => Promise<void>;
  /** What was the standby takes changes from now on. */
  readonly promote: () => Promise<void>;
  /** In the place of the one that was killed; nothing of what that had is used. */
  readonly newStandby: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** One PostgreSQL of the two: its port stays, its folder is made again. */
type Member = {
  /** Of the account that runs it, as all that lies in it. */
  readonly home: string;
  readonly cluster: string;
  readonly port: number;
  readonly as: Account;
  readonly programs: Programs;
};

/** By this name a standby is known to its primary. */
const STANDBY = "standby";
/** What the manual leaves out of a backup: it is the primary's own, or comes over the line. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_stat_tmp|pg_notify)\/.+)$/;

export async function replicatedDatabase(folder: string): Promise<ReplicatedDatabase> {
  // The database's user has to come through.
  await chmod(folder, 0o711);
  const one = await newMember(join(folder, "one"));
  const two = await newMember(join(folder, "two"));
  let [primary, standby]: [Member, Member] = [one, two];
  const password = await createCluster(primary);
  const urlOf = ({ port }: Member) =>
    `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`;
  const hosts = [one, two].map(({ port }) => `127.0.0.1:${port}`).join(",");
  const url = urlOf(one).replace(/@[^/]+/, `@${hosts}`);

  async function newStandby(): Promise<void> {
    await makeStandby(primary, standby, urlOf(primary), password);
    await start(standby);
    // From here on no COMMIT is answered that the standby does not have on its disk.
    await atDatabase(urlOf(primary), async (sql) => {
      await sql.unsafe(`alter system set synchronous_standby_names = '${STANDBY}'`);
      await sql`select pg_reload_conf()`;
      const inStep = () => sql`select from pg_stat_replication where sync_state = 'sync'`;
      while ((await inStep()).length === 0) await sleep(50);
    });
  }

  await start(primary);
  try {
    await newStandby();
  } catch (error) {
    await stop(primary);
    throw error;
  }
  return {
    url: `${url}?target_session_attrs=read-write`,
    primaryUrl: () => urlOf(primary),
    standbyUrl: () => urlOf(standby),
    killPrimary: () => kill(primary),
    promote: async () => {
      await atDatabase(urlOf(standby), (sql) => sql`select pg_promote(true, 30)`);
      [primary, standby] = [standby, primary];
    },
    newStandby,
    stop: async () => {
      for (const member of [primary, standby]) await stop(member);
    },
  };
}

async function newMember(home: string): Promise<Member> {
  const as = databaseAccount();
  await mkdir(home, { recursive: true, mode: 0o700 });
  await own(home, as);
  const programs = await postgresPrograms(home, as);
  return { home, cluster: join(home, "cluster"), port: await steadyPort(), as, programs };
}

async function start({ home, cluster, port, as, programs }: Member): Promise<void> {
  const log = join(home, "postgres.log");
  const options = ["-D", cluster, "-l", log, "-o", `-p ${port}`];
  const { code } = await run(programs.pgCtl, ["start", "-w", ...options], { as, cwd: home });
  if (code === 0) return;
  const said = await readFile(log, "utf8").catch(() => "no log");
  throw new Error(`PostgreSQL does not start:\n${said.slice(-2_000)}`);
}

async function stop({ home, cluster, as, programs }: Member): Promise<void> {
  const options = ["stop", "-w", "-D", cluster, "-m", "immediate"];
  await run(programs.pgCtl, options, { as, cwd: home });
}

async function kill({ cluster }: Member): Promise<void> {
  const found = await readPostmaster(cluster);
  if (found === undefined) throw new Error("there is no PostgreSQL to be killed");
  const processes = [found.pid, ...childrenOf(found.pid)];
  for (const pid of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself meanwhile.
    }
  }
  while (processes.some(isRunning)) await sleep(10);
}

/**
 * Makes a member the standby of a running one that is written to meanwhile. The package has no pg_basebackup, so it
 * is done by what that program uses itself: the backup functions of PostgreSQL, a copy of the folder, and a replication
 * slot that keeps the log from the start of the copy on.
 */
async function makeStandby(primary: Member, standby: Member, url: string, password: string) {
  await rm(standby.cluster, { recursive: true, force: true });
  await atDatabase(url, async (sql) => {
    await sql`
      select pg_create_physical_replication_slot(${STANDBY}, true)
      where not exists (select from pg_replication_slots where slot_name = ${STANDBY})`;
    await sql`select pg_backup_start(${STANDBY}, true)`;
    await copied(primary.cluster, standby.cluster, standby.as, "");
    const [stopped] = await sql<{ labelfile: string }[]>`
      select labelfile from pg_backup_stop(wait_for_archive => false)`;
    await write(standby, "backup_label", String(stopped?.labelfile));
  });
  await write(standby, "standby.signal", "");
  const to = `host=127.0.0.1 port=${primary.port} user=${superuser} password=${password}`;
  const settings = [
    `primary_conninfo = '${to} application_name=${STANDBY}'`,
    `primary_slot_name = '${STANDBY}'`,
    // Its own standby is still to come.
    "synchronous_standby_names = ''",
  ];
  const lines = settings.map((line) => `${line}\n`).join("");
  await appendFile(join(standby.cluster, "postgresql.auto.conf"), lines);
}

async function atDatabase(url: string, work: (sql: postgres.Sql) => Promise<unknown>) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** A file may go while the folder is copied: the log that is copied with it says so. */
async function copied(from: string, to: string, as: Account, below: string): Promise<void> {
  await mkdir(join(to, below), { mode: 0o700 });
  await own(join(to, below), as);
  for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
    const file = join(below, entry.name);
    if (LEFT_OUT.test(file)) continue;
    if (entry.isDirectory()) await copied(from, to, as, file);
    else await copyOne(join(from, file), join(to, file), as);
  }
}

async function copyOne(from: string, to: string, as: Account): Promise<void> {
  try {
    await copyFile(from, to);
    await own(to, as);
  } catch (error) {
    const isGone = (await lstat(from).catch(() => undefined)) === undefined;
    if (!isGone) throw error;
  }
}

async function write({ cluster, as }: Member, name: string, text: string): Promise<void> {
  const file = join(cluster, name);
  await writeFile(file, text, { mode: 0o600 });
  await own(file, as);
}

async function own(file: string, { uid, gid }: Account): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
}
