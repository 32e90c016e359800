import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freePort } from "./database-port";
import { newShutdown, type Shutdown } from "./shutdown";
import { startWorkers } from "./workers";

const file = path.join(import.meta.dirname, "testing/worker-program.ts");
const program = { file, execArgv: ["--import", "tsx"] };
const wanted = { count: 2, program, patienceMs: 20_000 };

type Said = {
  readonly pid: number;
  readonly shown?: string;
  /** How many slow requests it has been asked. */
  readonly slow: number;
};
const untilTrue = { timeout: 30_000, interval: 50 };

let port: number;
let shutdown: Shutdown;
beforeEach(async () => {
  port = await freePort(0);
  shutdown = newShutdown();
  vi.stubEnv("TEST_PORT", `${port}`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await shutdown.stop();
});

const ask = async (target = "/"): Promise<Said> => {
  // Node loses a connection that it was just handing to one that dies.
  const signal = AbortSignal.timeout(3_000);
  return (await (await fetch(`http://127.0.0.1:${port}${target}`, { signal })).json()) as Said;
};

/** Who answers, each on a connection of its own; which of them gets one is nobody's promise. */
async function answering(): Promise<readonly Said[]> {
  const said = await Promise.all(Array.from({ length: 8 }, () => ask()));
  return [...new Map(said.map((one) => [one.pid, one])).values()];
}

/** Waits until two answer, and both in the way that is wanted. */
const both = (check: (said: Said) => boolean = () => true) =>
  vi.waitFor(async () => {
    const said = await answering();
    expect(said.map(check)).toEqual([true, true]);
    return said.map(({ pid }) => pid);
  }, untilTrue);

/** Waits until so many slow requests have come in, on whichever. */
const allAsked = (count: number) =>
  vi.waitFor(async () => {
    const said = await answering();
    expect(said.reduce((sum, { slow }) => sum + slow, 0)).toBe(count);
  }, untilTrue);

describe("workers", () => {
  it("answer on one port, both of them, and none when they were stopped", async () => {
    await startWorkers(wanted, undefined, shutdown);
    await both();
    await shutdown.stop();
    await expect(ask()).rejects.toThrow();
  });

  it("are replaced when they die, however often", async () => {
    await startWorkers(wanted, undefined, shutdown);
    const first = await both();
    for (const pid of first) process.kill(pid, "SIGKILL");
    const second = await both(({ pid }) => !first.includes(pid));
    for (const pid of second) process.kill(pid, "SIGKILL");
    await both(({ pid }) => ![...first, ...second].includes(pid));
  });

  it("show the certificate of this moment, and so does the one that takes a dead one's place", async () => {
    const serving = await startWorkers(wanted, { cert: "old", key: "" }, shutdown);
    await both(({ shown }) => shown === "old");
    serving.renew({ cert: "renewed", key: "" });
    const [killed = 0] = await both(({ shown }) => shown === "renewed");
    process.kill(killed, "SIGKILL");
    await both(({ pid, shown }) => pid !== killed && shown === "renewed");
  });

  it("end what they are asked before they stop", async () => {
    await startWorkers(wanted, undefined, shutdown);
    const slow = [ask("/slow"), ask("/slow")];
    await allAsked(slow.length);
    await shutdown.stop();
    const pids = (await Promise.all(slow)).map(({ pid }) => pid);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });

  it("are cut off when somebody asks a second time", async () => {
    await startWorkers(wanted, undefined, shutdown);
    const slow = ask("/slow").catch(() => "cut off");
    await allAsked(1);
    const stopped = shutdown.stop();
    shutdown.hurry();
    await stopped;
    expect(await slow).toBe("cut off");
  });

  it("are not left behind when the stop comes while they start", async () => {
    const starting = startWorkers(wanted, undefined, shutdown).catch(() => "not started");
    await shutdown.stop();
    expect(await starting).toBe("not started");
    await expect(ask()).rejects.toThrow();
  });

  it("that cannot start at all are no server", async () => {
    vi.stubEnv("TEST_DEFECT", "dies");
    await expect(startWorkers(wanted, undefined, shutdown)).rejects.toThrow("before it was ready");
  });
});
