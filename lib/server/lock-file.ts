import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAlive } from "./postmaster";

export type Unlock = () => Promise<void>;
/** The process that has the lock. */
export type Holder = { readonly pid: number };

/**
 * A lock that is a file with the name of a process in it. Yields how to let go, or who has it. The
 * lock of a process that is gone (kill -9) is taken over.
 */
export async function takeLock(file: string): Promise<Unlock | Holder> {
  const mine = await nameOf(process.pid);
  const unlock = () => rm(file, { force: true });
  if (await put(file, mine)) return unlock;
  const holder = await readFile(file, "utf8").catch(() => undefined);
  if (holder !== undefined && (await isRunning(holder))) return { pid: pidIn(holder) };
  await takeAway(file, holder);
  if (await put(file, mine)) return unlock;
  return { pid: pidIn(await readFile(file, "utf8").catch(() => "0")) };
}

/** Written beside and linked in, so that nobody ever reads half of it. */
async function put(file: string, name: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, name);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(draft);
  }
}

/** Takes away only what was read before: of two that find the same stale lock one may be first. */
export async function takeAway(file: string, stale: string | undefined): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const taken = await readFile(aside, "utf8").catch(() => undefined);
  if (taken !== undefined && taken !== stale) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

/** A process number comes back for another process; number and starting time together do not. */
async function nameOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const startedAt = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  return `${pid} ${startedAt ?? "-"}`;
}

async function isRunning(name: string): Promise<boolean> {
  const pid = pidIn(name);
  return isAlive(pid) && (await nameOf(pid)) === name;
}

function pidIn(name: string): number {
  return Number(name.split(" ")[0]);
}
