import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { steadyPort } from "@/e2e/harness/steady-port";
import { takeProfile } from "./take-profile";

it("a running process is profiled while the work lasts", async () => {
  const inspectPort = await steadyPort();
  const busy =
    "function spin() { for (let n = 0; n < 1e5; n += 1) Math.sqrt(n); setImmediate(spin); }";
  const script = `${busy} spin(); process.stdout.write("up");`;
  const child = spawn(process.execPath, [`--inspect-port=${inspectPort}`, "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await once(child.stdout, "data");
    const profile = await takeProfile({ pid: Number(child.pid), inspectPort }, () => sleep(100));
    expect(profile.samples.length).toBe(profile.timeDeltas.length);
    expect(profile.nodes.map(({ callFrame }) => callFrame.functionName)).toContain("spin");
  } finally {
    child.kill();
  }
});
