import { spawn } from "node:child_process";

export type Outcome =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "timed-out" }
  | { readonly kind: "not-started"; readonly reason: string };

export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds until the command and all it started are ended. */
  readonly limit: number;
};

const GRACE_MS = 10_000;
const endings = new Set<() => void>();

/**
 * Runs a command with its output shown. It leads a process group of its own, so that what it
 * started ends with it: a forgotten server would keep its port, and write after the totals.
 */
export function run({ file, args, env, limit }: Command): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env,
      detached: true,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const timers: NodeJS.Timeout[] = [];
    const end = () => {
      // What the terminal sends: the runners take down what they set up only for this one.
      signalGroup(child.pid, "SIGINT");
      timers.push(setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS));
    };
    let timedOut = false;
    timers.push(
      setTimeout(() => {
        timedOut = true;
        end();
      }, limit),
    );
    endings.add(end);
    const ended = (outcome: Outcome) => {
      for (const timer of timers) clearTimeout(timer);
      endings.delete(end);
      signalGroup(child.pid, "SIGKILL");
      resolve(outcome);
    };
    child.once("error", (error) => ended({ kind: "not-started", reason: error.message }));
    child.once("exit", (code) =>
      ended(timedOut ? { kind: "timed-out" } : { kind: "exited", code: code ?? 1 }),
    );
  });
}

/** Ends what runs at the moment: a process group of its own does not hear the terminal's Ctrl-C. */
export function endRunning(): void {
  for (const end of endings) end();
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already, which is what was wanted.
  }
}
