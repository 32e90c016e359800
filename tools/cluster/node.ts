import http from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningServer, type ServerSettings, startServer } from "@/e2e/harness/server";

/** One of several server processes, as an operator has it in hand. */
export type ClusterNode = {
  readonly settings: ServerSettings;
  /** By its own word, asked for a moment ago. */
  readonly isReady: () => boolean;
  /** All that it has written so far, over all its starts. */
  readonly output: () => string;
  /** Does nothing when it runs. */
  readonly start: () => Promise<void>;
  /** SIGTERM; the exit code. */
  readonly terminate: () => Promise<number | null>;
  readonly kill: () => Promise<void>;
  /** For good. */
  readonly end: () => Promise<void>;
};

const ASKED_EVERY_MS = 100;
const ASKING_MS = 1_000;

export function clusterNode(settings: ServerSettings): ClusterNode {
  let running: RunningServer | undefined;
  const started: RunningServer[] = [];
  let ready = false;
  let over = false;

  async function keepAsking(): Promise<void> {
    while (!over) {
      ready = running !== undefined && (await saysReady(settings));
      await sleep(ASKED_EVERY_MS);
    }
  }
  const asking = keepAsking();

  /** Taken out first: nobody is to find a server that is about to be gone. */
  function taken(): RunningServer | undefined {
    const server = running;
    running = undefined;
    return server;
  }

  return {
    settings,
    isReady: () => ready,
    output: () => started.map(({ output }) => output()).join(""),
    start: async () => {
      if (running === undefined) {
        running = await startServer(settings);
        started.push(running);
      }
      ready = await saysReady(settings);
    },
    // It says itself that it is not ready any more, and goes on for as long as balancers may need.
    terminate: async () => (await running?.terminate().finally(taken)) ?? null,
    kill: async () => taken()?.kill(),
    end: async () => {
      over = true;
      await asking;
      await taken()?.stop();
    },
  };
}

/** Each of its hosts speaks for itself. */
async function saysReady({ xs2aPort, webPort }: ServerSettings): Promise<boolean> {
  const hosts = [`https://127.0.0.1:${xs2aPort}`, `http://127.0.0.1:${webPort}`];
  return (await Promise.all(hosts.map(isOk))).every((ok) => ok);
}

function isOk(host: string): Promise<boolean> {
  // Whose certificate it is does not matter here.
  const options = {
    signal: AbortSignal.timeout(ASKING_MS),
    agent: false,
    rejectUnauthorized: false,
  };
  const send = host.startsWith("https:") ? https.request : http.request;
  return new Promise((resolve) => {
    const asked = send(`${host}/health/ready`, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on("error", () => resolve(false)).end();
  });
}
