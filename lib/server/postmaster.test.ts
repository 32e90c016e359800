import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { serves } from "./postmaster";

const running = (pid: number) => ({ pid, port: 5432, ready: true });

async function says(pid: number, word: string): Promise<void> {
  while (!(await readFile(`/proc/${pid}/stat`, "utf8")).includes(word)) await sleep(5);
}

it("a process in the data folder serves it, and one that is elsewhere does not", async () => {
  expect(await serves(running(process.pid), process.cwd())).toBe(true);
  expect(await serves(running(process.pid), "/")).toBe(false);
});

it("a number that nobody has serves nothing", async () => {
  const child = spawn("true");
  await once(child, "exit");
  expect(await serves(running(Number(child.pid)), process.cwd())).toBe(false);
  expect(await serves(running(0), process.cwd())).toBe(false);
});

it.runIf(process.platform === "linux")(
  "a process that has ended serves nothing, though its parent has not taken note of it",
  async () => {
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
    onTestFinished(() => void parent.kill());
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    // The shell would take note of it; what it becomes does not.
    await says(Number(parent.pid), "(sleep)");
    expect(await serves(running(pid), process.cwd())).toBe(true);
    process.kill(pid);
    await says(pid, ") Z ");
    expect(await serves(running(pid), process.cwd())).toBe(false);
  },
);
