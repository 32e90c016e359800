import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { serves } from "./postmaster";
import { unreapedProcess } from "./testing/zombie";

const running = (pid: number) => ({ pid, port: 5432, ready: true });

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
    const { pid, kill } = await unreapedProcess();
    expect(await serves(running(pid), process.cwd())).toBe(true);
    await kill();
    expect(await serves(running(pid), process.cwd())).toBe(false);
  },
);
