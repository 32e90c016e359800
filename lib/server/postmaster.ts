import { readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";

/** What a running PostgreSQL writes into its data folder, one fact a line. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly ready: boolean };

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
  if (!isAlive(pid)) return false;
  // Ended, and its parent has not taken note of it: in some containers nobody ever does.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat !== undefined && /^.*\) Z /s.test(stat)) return false;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === undefined || cwd === (await realpath(cluster));
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
