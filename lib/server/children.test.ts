import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isReady, startChild } from "./children";
import { freePort } from "./database-port";
import { newShutdown, type Shutdown } from "./shutdown";

const file = path.join(import.meta.dirname, "testing/child-program.ts");

type Said = {
  readonly pid: number;
  /** How many slow requests it has been asked. */
  readonly slow: number;
};
const untilTrue = { timeout: 30_000, interval: 50 };

let port: number;
let shutdown: Shutdown;
beforeEach(async () => {
  port = await freePort(0);
  shutdown = newShutdown();
});
afterEach(() => shutdown.stop());

/** A child of this process, or of another one that has started it in the same way. */
const forked = (more = {}) =>
  fork(file, {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...more, TEST_PORT: `${port}` },
  });

function start(more = {}) {
  const program = { name: "a host", fork: () => forked(more), stopMs: 20_000 };
  const child = startChild(program, shutdown.signal);
  shutdown.onStop(child);
  return child;
}

async function ask(target = "/"): Promise<Said> {
  return (await (await fetch(`http://127.0.0.1:${port}${target}`)).json()) as Said;
}

const answeredBy = (check: (pid: number) => boolean) =>
  vi.waitFor(async () => {
    const { pid } = await ask();
    expect(check(pid)).toBe(true);
    return pid;
  }, untilTrue);

describe("a process that another one keeps", () => {
  it("answers when it has said so, and is gone when it was stopped", async () => {
    await start().says(isReady);
    const { pid } = await ask();
    await shutdown.stop();
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it("is replaced when it dies, however often", async () => {
    const child = start();
    await child.says(isReady);
    child.keep();
    const { pid: first } = await ask();
    process.kill(first, "SIGKILL");
    const second = await answeredBy((pid) => pid !== first);
    process.kill(second, "SIGKILL");
    await answeredBy((pid) => pid !== first && pid !== second);
  });

  it("ends what it is asked before it stops", async () => {
    await start().says(isReady);
    const slow = ask("/slow");
    await vi.waitFor(async () => expect((await ask()).slow).toBe(1), untilTrue);
    await shutdown.stop();
    const { pid } = await slow;
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it("is cut off when somebody asks a second time", async () => {
    await start().says(isReady);
    const slow = ask("/slow").catch(() => "cut off");
    await vi.waitFor(async () => expect((await ask()).slow).toBe(1), untilTrue);
    const stopped = shutdown.stop();
    shutdown.hurry();
    await stopped;
    expect(await slow).toBe("cut off");
  });

  it("is not left behind when the stop comes while it starts", async () => {
    const starting = start()
      .says(isReady)
      .catch(() => "not started");
    await shutdown.stop();
    await starting;
    await expect(ask()).rejects.toThrow();
  });

  it("ends the start when it cannot start at all", async () => {
    await expect(start({ TEST_DEFECT: "dies" }).says(isReady)).rejects.toThrow();
  });

  it("ends when the one that keeps it was killed", async () => {
    const child = forked();
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "message");
    // What happens to its channel when the other end's process is gone.
    child.disconnect();
    await once(child, "exit");
    await expect(ask()).rejects.toThrow();
  });
});
