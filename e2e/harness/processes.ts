import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Numbers of the processes that this one has made and that live, as Linux tells. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid);
}

/** Megabytes that a process and those it has made hold, as Linux tells. */
export function residentOf(server: number): Promise<number> {
  return sumOf(
    server,
    "status",
    (status) => Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024,
  );
}

/** Of a file that Linux has of each of them. */
export async function sumOf(
  server: number,
  file: string,
  of: (text: string) => number,
): Promise<number> {
  const pids = [server, ...childrenOf(server)];
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/${file}`, "utf8")));
  return texts.map(of).reduce((sum, one) => sum + one, 0);
}

function parentOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // Behind the program's name, which may hold anything: state and parent.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" ? undefined : Number(parent);
}

/** What a process was started with, its program first, and then the flags and files of Node. */
export function argumentsOf(pid: number): readonly string[] {
  const [program = "gone", ...all] = textOf(`/proc/${pid}/cmdline`).split("\0");
  return [program, ...all.filter((one) => !one.startsWith("--"))];
}

/** How many connections a process holds that came in at this port. */
export function openTo(pid: number, port: number): number {
  const at = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  const inodes = ["tcp", "tcp6"].flatMap((table) =>
    textOf(`/proc/${pid}/net/${table}`)
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(at) && fields[3] === established)
      .map((fields) => `socket:[${fields[9]}]`),
  );
  return openFiles(pid).filter((file) => inodes.includes(file)).length;
}

function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const names = unlessGone(() => readdirSync(folder)) ?? [];
  return names.map((name) => unlessGone(() => readlinkSync(`${folder}/${name}`)) ?? "closed");
}

function textOf(file: string): string {
  return unlessGone(() => readFileSync(file, "utf8")) ?? "gone";
}

/** A process may end, or close a file, while it is looked at. */
function unlessGone<Seen>(look: () => Seen): Seen | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
