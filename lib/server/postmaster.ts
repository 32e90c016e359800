import { readFile, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { isRunning } from "./process-state";

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
  if (!isRunning(pid)) return false;
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return cwd === undefined || cwd === (await realpath(cluster));
}
