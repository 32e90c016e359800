import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Plans } from "./plan";
import type { LimitSettings } from "./process";

/** A bare `node:https` server that does for each request what plans say. */
export type Limit = {
  readonly pid: number;
  readonly port: number;
  readonly learn: (plans: Plans) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startLimit(settings: LimitSettings): Promise<Limit> {
  const child = fork(join(import.meta.dirname, "process.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error("the limit has ended");
  });
  failed.catch(() => undefined);
  child.send(settings);
  const [port] = await Promise.race([once(child, "message"), failed]);
  return {
    pid: Number(child.pid),
    port: Number(port),
    learn: async (plans) => {
      const learnt = once(child, "message");
      child.send(plans);
      await Promise.race([learnt, failed]);
    },
    close: async () => {
      child.kill();
      await ended;
    },
  };
}
