import {
  appendFile,
  chown,
  copyFile,
  lstat,
  mkdir,
  readdir,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { superuser } from "@/lib/server/embedded-database";
import { type Member, urlOf } from "./postgres-member";

/** By this name a standby is known to its primary. */
export const STANDBY = "standby";
/** What the manual leaves out of a backup: it is the primary's own, or comes over the line. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_stat_tmp|pg_notify)\/.+)$/;

/**
 * Makes a member the standby of a running one, whoever writes to that meanwhile. The package has no
 * pg_basebackup, so it is done by what that program uses itself: the backup functions of PostgreSQL, a
 * copy of the folder, and a replication slot that keeps the log from the start of the copy on.
 */
export async function makeStandby(
  primary: Member,
  standby: Member,
  password: string,
): Promise<void> {
  await rm(standby.cluster, { recursive: true, force: true });
  const sql = postgres(urlOf(primary, password), { max: 1, onnotice: () => undefined });
  try {
    await sql`
      select pg_create_physical_replication_slot(${STANDBY}, true)
      where not exists (select from pg_replication_slots where slot_name = ${STANDBY})`;
    await sql`select pg_backup_start(${STANDBY}, true)`;
    await copied(primary.cluster, standby.cluster, standby.as, "");
    const [stopped] = await sql<{ labelfile: string }[]>`
      select labelfile from pg_backup_stop(wait_for_archive => false)`;
    await write(standby, "backup_label", String(stopped?.labelfile));
  } finally {
    await sql.end({ timeout: 5 });
  }
  await write(standby, "standby.signal", "");
  const to = `host=127.0.0.1 port=${primary.port} user=${superuser} password=${password}`;
  const settings = [
    `primary_conninfo = '${to} application_name=${STANDBY}'`,
    `primary_slot_name = '${STANDBY}'`,
    // Its own standby is still to come.
    "synchronous_standby_names = ''",
  ];
  await appendFile(
    join(standby.cluster, "postgresql.auto.conf"),
    settings.map((line) => `${line}\n`).join(""),
  );
}

/** From here on no COMMIT is answered that the standby does not have on its disk. */
export async function waitForStandby(primary: Member, password: string): Promise<void> {
  const sql = postgres(urlOf(primary, password), { max: 1, onnotice: () => undefined });
  try {
    await sql.unsafe(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await sql`select pg_reload_conf()`;
    for (;;) {
      const inStep = await sql`select from pg_stat_replication where sync_state = 'sync'`;
      if (inStep.length > 0) return;
      await sql`select pg_sleep(0.05)`;
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** A file may go while the folder is copied: the log says so to whoever has the copy. */
async function copied(from: string, to: string, as: Member["as"], below: string): Promise<void> {
  await mkdir(join(to, below), { mode: 0o700 });
  await own(join(to, below), as);
  for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
    const file = join(below, entry.name);
    if (LEFT_OUT.test(file)) continue;
    if (entry.isDirectory()) await copied(from, to, as, file);
    else await copyOne(join(from, file), join(to, file), as);
  }
}

async function copyOne(from: string, to: string, as: Member["as"]): Promise<void> {
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

async function own(file: string, { uid, gid }: Member["as"]): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
}
