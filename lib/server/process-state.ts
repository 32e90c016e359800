import { readFileSync } from "node:fs";

/**
 * Whether a process of this number runs. A zombie does not: it has ended and its parent has not waited for
 * it yet, which in a container without an init nobody ever does.
 */
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
