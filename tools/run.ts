import { spawn } from "node:child_process";
import { join } from "node:path";

const GRACE_MS = 10_000;
const running = new Set<() => void>();
let stopped = false;

/** Whether Ctrl-C or a SIGTERM has ended what ran; nothing is to be started after it. */
export const isStopped = (): boolean => stopped;

/**
 * Runs a command with its output shown, and says whether it ended well. It leads a process group of its own, so that
 * what it started ends with it: a forgotten server would keep its port, and write after the totals.
 */
export function run(file: string, args: readonly string[], env = process.env): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
    });
    let late: NodeJS.Timeout | undefined;
    const end = () => {
      // What the terminal sends: the runners take down what they set up only for this one.
      signalGroup(child.pid, "SIGINT");
      late ??= setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
    };
    running.add(end);
    const ended = (well: boolean) => {
      clearTimeout(late);
      running.delete(end);
      signalGroup(child.pid, "SIGKILL");
      resolve(well && !stopped);
    };
    child.once("error", ({ message }) => {
      console.error(message);
      ended(false);
    });
    child.once("exit", (code) => ended(code === 0));
  });
}

/** A command of a package, as `npx` would find it. */
export function runPackage(name: string, args: readonly string[], env?: NodeJS.ProcessEnv) {
  return run(join(import.meta.dirname, "../node_modules/.bin", name), args, env);
}

/** A process group of its own does not hear the terminal's Ctrl-C: it is passed on. */
export function passSignalsOn(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // More than one may come: npm passes on what the terminal has sent to all of them.
    process.on(signal, () => {
      stopped = true;
      for (const end of running) end();
    });
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already, which is what was wanted.
  }
}
