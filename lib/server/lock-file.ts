import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { readIfThere } from "@/lib/files";

export type Unlock = () => Promise<void>;
export type Holder = { readonly pid: number };

/** In the file, where the machine does not know the starting time. */
const UNKNOWN = "-";

/**
 * A lock file with the number and the starting time of a process. Yields how to unlock, or the holder. The lock of a
 * process that has ended (kill -9) is taken over.
 */
export async function takeLock(file: string): Promise<Unlock | Holder> {
  if (await put(file, nameOf(process.pid))) return () => rm(file, { force: true });
  const holder = await readIfThere(file);
  // Unlocked in the meantime.
  if (holder === undefined) return takeLock(file);
  if (holds(holder)) return { pid: pidIn(holder) };
  return takeOver(file, holder);
}

/**
 * From a holder that has ended. No file can be compared and replaced in one step, so to replace this holder's takes a
 * lock of its own, which is taken over in turn when its holder ends in between.
 */
export async function takeOver(file: string, gone: string): Promise<Unlock | Holder> {
  const done = await takeLock(`${file}.after-${digestOf(gone)}`);
  if (typeof done !== "function") return done;
  try {
    const holder = await readIfThere(file);
    if (holder === undefined) return takeLock(file);
    if (holder !== gone) return { pid: pidIn(holder) };
    await withDraft(file, nameOf(process.pid), (draft) => rename(draft, file));
    return () => rm(file, { force: true });
  } finally {
    await done();
  }
}

/** False where there is one already. */
async function put(file: string, name: string): Promise<boolean> {
  try {
    await withDraft(file, name, (draft) => link(draft, file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** A file beside, so that no half-written one is ever read. */
async function withDraft(
  file: string,
  name: string,
  use: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, name);
    await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The content as a part of a file's name. */
function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

/** A process number comes back for another process; number and starting time together do not. */
function nameOf(pid: number): string {
  return `${pid} ${startTimeOf(pid) ?? UNKNOWN}`;
}

/** Where one of the two times is not known the number alone decides. */
function holds(name: string): boolean {
  const [, then = UNKNOWN] = name.split(" ");
  const pid = pidIn(name);
  if (!isRunning(pid)) return false;
  const now = startTimeOf(pid) ?? UNKNOWN;
  return now === then || now === UNKNOWN || then === UNKNOWN;
}

function pidIn(name: string): number {
  return Number(name.split(" ")[0]);
}

/** Whether a process of this number runs. A zombie does not; in a container without an init it stays one. */
export function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const state = statOf(pid)?.[0];
  return state !== "Z" && state !== "X";
}

/** In clock ticks since the machine's start; undefined where there is no /proc to tell. */
export function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** The fields of proc(5) from the state on; the name before stands in parentheses and may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
