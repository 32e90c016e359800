import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";

export type Mortal = {
  readonly pid: number;
  /** kill -9; resolves when the process is a zombie, and it stays one until the test is over. */
  readonly kill: () => Promise<void>;
};

/** A process, in the folder of the test, whose parent never waits for it. Linux only. */
export async function unreapedProcess(): Promise<Mortal> {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
  onTestFinished(() => void parent.kill());
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  // The shell would wait for its child; what it turns into does not.
  await shows(Number(parent.pid), "(sleep)");
  await shows(pid, "(sleep)");
  const kill = () => {
    process.kill(pid, "SIGKILL");
    return shows(pid, ") Z ");
  };
  return { pid, kill };
}

async function shows(pid: number, text: string): Promise<void> {
  while (!(await readFile(`/proc/${pid}/stat`, "utf8")).includes(text)) await sleep(5);
}
