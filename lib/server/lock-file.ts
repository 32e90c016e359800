import { createHash, randomUUID } from "node:crypto";
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
  if (await put(file, await nameOf(process.pid))) return () => rm(file, { force: true });
  const holder = await read(file);
  // Let go of in the meantime.
  if (holder === undefined) return takeLock(file);
  if (await isRunning(holder)) return { pid: pidIn(holder) };
  return takeOver(file, holder);
}

/**
 * From a holder that is gone. No file can be looked at and replaced in one step, so to replace this very
 * holder's takes a lock of its own, which is taken over in its turn from one who died in between.
 */
export async function takeOver(file: string, gone: string): Promise<Unlock | Holder> {
  const done = await takeLock(`${file}.after-${digestOf(gone)}`);
  if (typeof done !== "function") return done;
  try {
    const holder = await read(file);
    if (holder === undefined) return takeLock(file);
    if (holder !== gone) return { pid: pidIn(holder) };
    await withDraft(file, await nameOf(process.pid), (draft) => rename(draft, file));
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
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

/** Written beside, so that nobody ever reads half of it. */
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

async function read(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  });
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Whatever stands in the file, as a part of a file's name. */
function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
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
