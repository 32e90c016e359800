import { readdir, readFile } from "node:fs/promises";

/** What the processes have used so far, and what they hold now. */
export type Usage = {
  /** User and system. */
  readonly cpuSeconds: number;
  /** Resident. */
  readonly memoryBytes: number;
};

type Stat = { readonly pid: number; readonly parent: number; readonly ticks: number };

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

/** Of a process with its children; reads /proc, so this is for Linux. */
export async function usageOf(pid: number): Promise<Usage> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = (await Promise.all(pids.map(Number).map(statOf))).filter(
    (one) => one !== undefined,
  );
  const family = new Set([pid]);
  // A child has a higher number than its parent, except where the numbers have begun anew.
  for (const one of stats.toSorted((a, b) => a.pid - b.pid)) {
    if (family.has(one.parent)) family.add(one.pid);
  }
  const own = stats.filter((one) => family.has(one.pid));
  if (own.length === 0) throw new Error(`there is no process ${pid}`);
  const memory = await Promise.all(own.map((one) => residentOf(one.pid)));
  return {
    cpuSeconds: own.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND,
    memoryBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** The parent of PostgreSQL's backends, by the number of one of them. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await statOf(pid);
  if (stat === undefined) throw new Error(`there is no process ${pid}`);
  return stat.parent;
}

/** proc(5): after the name in brackets come state and parent; user and system time are 14 and 15. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const after = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0] = [after[1], after[11], after[12]];
  // Of children that have ended and been waited for.
  const [childUser = 0, childSystem = 0] = [after[13], after[14]];
  return { pid, parent, ticks: user + system + childUser + childSystem };
}

async function residentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "0 0");
  return Number(text.split(" ")[1]) * PAGE_BYTES;
}
