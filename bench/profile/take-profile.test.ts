import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { steadyPort } from "@/e2e/harness/steady-port";
import { takeProfile } from "./take-profile";

it("a running process is profiled while the work lasts", async () => {
  const inspectPort = await steadyPort();
  const busy =
    "function spin() { for (let n = 0; n < 1e7; n += 1) Math.sqrt(n); process.stdout.write('.'); setImmediate(spin); }";
  const script = `${busy} spin(); process.stdout.write("up");`;
  const child = spawn(process.execPath, [`--inspect-port=${inspectPort}`, "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const { stdout } = child;
    await once(stdout, "data");
    // So many turns, and not so long: where others keep the processors, it may not have one for a while.
    const turns = async () => {
      for (let turn = 0; turn < 20; turn += 1) await once(stdout, "data");
    };
    const profile = await takeProfile({ pid: Number(child.pid), inspectPort }, turns);
    expect(profile.samples.length).toBe(profile.timeDeltas.length);
    expect(profile.nodes.map(({ callFrame }) => callFrame.functionName)).toContain("spin");
  } finally {
    child.kill();
  }
});
