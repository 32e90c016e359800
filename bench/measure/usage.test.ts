import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { parentOf, usageOf } from "./usage";

it("what a process holds is counted with its children", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  try {
    const alone = await usageOf(Number(child.pid));
    const family = await usageOf(process.pid);
    expect(alone.memoryBytes).toBeGreaterThan(0);
    expect(family.memoryBytes).toBeGreaterThan(alone.memoryBytes);
    expect(await parentOf(Number(child.pid))).toBe(process.pid);
  } finally {
    child.kill();
  }
});

it("what a process has used only grows", async () => {
  const before = await usageOf(process.pid);
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 50_000) Math.random();
  const after = await usageOf(process.pid);
  expect(after.cpuSeconds).toBeGreaterThan(before.cpuSeconds);
});

it("a process that is not there is refused", async () => {
  await expect(usageOf(2 ** 30)).rejects.toThrow("no process");
});
