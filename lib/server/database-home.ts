import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { SettingError } from "@/lib/config";
import type { Account } from "./database-account";
import { run } from "./run-command";

/**
 * The folder of the database's files, made when it is missing and owned by its account. This is
 * DATA_DIR/pg, except for root with a DATA_DIR that other users cannot enter (anything below a
 * closed /root): then the files live below /var/lib, and DATA_DIR/pg is a file that says where.
 */
export async function databaseHome(dataDir: string, as: Account): Promise<string> {
  const home = await chosenHome(dataDir, as);
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Somebody else's folder of that name could hold a prepared database, or a link to elsewhere.
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
