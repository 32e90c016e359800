import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { buildPrograms } from "./build";
import { freePort } from "./embedded-database";
import { isReady, newShutdown, repeat, type Shutdown, startChild } from "./processes";

describe("a child process", () => {
  const root = path.join(import.meta.dirname, "../..");
  const built = "test-results/child-program";
  // Built once: a child that compiles itself takes three times as much of the processor to start.
  beforeAll(() => {
    const program = 'import "./lib/server/testing/child-program";';
    return buildPrograms(root, { child: program }, built);
  });

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
    fork(path.join(root, built, "child.mjs"), {
      execArgv: [],
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
      await start().received(isReady);
      const { pid } = await ask();
      await shutdown.stop();
      expect(() => process.kill(pid, 0)).toThrow();
    });

    it("is replaced when it dies, however often", async () => {
      const child = start();
      await child.received(isReady);
      child.keep();
      const { pid: first } = await ask();
      process.kill(first, "SIGKILL");
      const second = await answeredBy((pid) => pid !== first);
      process.kill(second, "SIGKILL");
      await answeredBy((pid) => pid !== first && pid !== second);
    });

    it("ends what it is asked before it stops", async () => {
      await start().received(isReady);
      const slow = ask("/slow");
      await vi.waitFor(async () => expect((await ask()).slow).toBe(1), untilTrue);
      await shutdown.stop();
      const { pid } = await slow;
      expect(() => process.kill(pid, 0)).toThrow();
    });

    it("is cut off when somebody asks a second time", async () => {
      await start().received(isReady);
      const slow = ask("/slow").catch(() => "cut off");
      await vi.waitFor(async () => expect((await ask()).slow).toBe(1), untilTrue);
      const stopped = shutdown.stop();
      shutdown.hurry();
      await stopped;
      expect(await slow).toBe("cut off");
    });

    it("is not left behind when the stop comes while it starts", async () => {
      const starting = start()
        .received(isReady)
        .catch(() => "not started");
      await shutdown.stop();
      await starting;
      await expect(ask()).rejects.toThrow();
    });

    it("ends the start when it cannot start at all", async () => {
      await expect(start({ TEST_DEFECT: "dies" }).received(isReady)).rejects.toThrow();
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
});

describe("a shutdown", () => {
  it("ends what was begun last first, one after the other", async () => {
    const shutdown = newShutdown();
    const ended: string[] = [];
    for (const name of ["database", "application", "listener"]) {
      shutdown.onStop({
        finish: async () => {
          await new Promise(setImmediate);
          ended.push(name);
        },
      });
    }
    await Promise.all([shutdown.stop(), shutdown.stop()]);
    expect(ended).toEqual(["listener", "application", "database"]);
  });

  it("stops the database even when another part fails to stop", async () => {
    const shutdown = newShutdown();
    let stopped = false;
    shutdown.onStop({
      finish: async () => {
        stopped = true;
      },
    });
    shutdown.onStop({ finish: () => Promise.reject(new Error("stuck")) });
    await shutdown.stop();
    expect(stopped).toBe(true);
  });

  it("aborts what still starts, and hurries each step that can be", async () => {
    const shutdown = newShutdown();
    let release = () => {};
    shutdown.onStop({
      finish: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
      hurry: () => release(),
    });
    const stopped = shutdown.stop();
    expect(shutdown.signal.aborted).toBe(true);
    shutdown.hurry();
    await stopped;
  });
});

describe("repeated turns", () => {
  /** Turns that are counted; the last one says that there is nothing left and tells those who wait. */
  function counted(turns: number) {
    let count = 0;
    let running = 0;
    let most = 0;
    let tell: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const turn = async () => {
      count += 1;
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      if (count < turns) return true;
      tell();
      return false;
    };
    return { turn, done, count: () => count, most: () => most };
  }

  const everySeconds = 3_600;

  describe("what is repeated", () => {
    it("begins at once and goes on without a pause while there is more to do, one turn at a time", async () => {
      const { turn, done, count, most } = counted(5);
      const { stop } = repeat({ everySeconds, turn });
      await done;
      await stop();
      expect([count(), most()]).toEqual([5, 1]);
    });

    it("pauses when there is no more to do, and can be stopped in the pause", async () => {
      const { turn, done, count } = counted(1);
      const { stop } = repeat({ everySeconds, turn });
      await done;
      await new Promise(setImmediate);
      await stop();
      expect(count()).toBe(1);
    });

    it("lets the turn that runs come to its end when it is stopped, and begins no other", async () => {
      let ended = false;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const turn = async () => {
        await held;
        ended = true;
        return true;
      };
      const stopped = repeat({ everySeconds, turn }).stop();
      expect(ended).toBe(false);
      release();
      await stopped;
      expect(ended).toBe(true);
    });

    it("goes on after a turn that failed", async () => {
      const { turn, done, count } = counted(2);
      let failed = false;
      const failing = async () => {
        if (failed) return turn();
        failed = true;
        throw new Error("the database is not there");
      };
      const { stop } = repeat({ everySeconds: 0, turn: failing });
      await done;
      await stop();
      expect(count()).toBeGreaterThanOrEqual(2);
    });
  });
});
