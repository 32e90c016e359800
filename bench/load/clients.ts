import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Fired, Load, Order } from "./orders";

/** What all load processes showed together. */
export type Volley = {
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array;
  readonly requestsPerSecond: number;
  /** Share of one core that the busiest of them used; near 1 it may be what was slow. */
  readonly busiest: number;
  readonly signedOnTheWay: number;
};

type Around<Look> = { readonly before: Look; readonly volley: Volley; readonly after: Look };

export type Clients = {
  readonly count: number;
  /** `load` says what each of them does. The volley is fired when all of them are ready. */
  readonly fire: (load: (nth: number) => Load) => Promise<Volley>;
  /** The same, with a look right before and after: what makes them ready is not between. */
  readonly fireAround: <Look>(
    load: (nth: number) => Load,
    look: () => Promise<Look>,
  ) => Promise<Around<Look>>;
  readonly close: () => Promise<void>;
};

/** Load processes of their own, so that they take no time from a server's. */
export function startClients(count: number): Clients {
  const all = Array.from({ length: count }, startClient);

  async function fireAround<Look>(load: (nth: number) => Load, look: () => Promise<Look>) {
    await Promise.all(all.map((client, nth) => client.ask({ load: load(nth) })));
    const before = await look();
    const fired = await Promise.all(all.map((client) => client.ask("fire")));
    const after = await look();
    return { before, volley: together(fired.filter((one) => one !== "ready")), after };
  }

  return {
    count,
    fireAround,
    fire: async (load) => (await fireAround(load, async () => undefined)).volley,
    close: async () => {
      await Promise.all(all.map((client) => client.close()));
    },
  };
}

type Reply = "ready" | Fired;

function startClient() {
  const child: ChildProcess = fork(join(import.meta.dirname, "process.ts"), {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error("a load process has ended");
  });
  failed.catch(() => undefined);
  return {
    ask: async (order: Order): Promise<Reply> => {
      const answered = once(child, "message");
      child.send(order);
      const [answer] = (await Promise.race([answered, failed])) as [
        Reply | { readonly failed: string },
      ];
      if (typeof answer === "object" && "failed" in answer) throw new Error(answer.failed);
      return answer;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

function together(fired: readonly Fired[]): Volley {
  const latencies = Float64Array.from(fired.flatMap((one) => [...one.latencies])).sort();
  const seconds = Math.max(...fired.map((one) => one.seconds));
  return {
    latencies,
    requestsPerSecond: latencies.length / seconds,
    busiest: Math.max(...fired.map((one) => one.cpuSeconds / one.seconds)),
    signedOnTheWay: fired.reduce((sum, one) => sum + one.signedOnTheWay, 0),
  };
}
