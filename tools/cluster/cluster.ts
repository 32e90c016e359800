import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  freshSettings,
  type RunningServer,
  type ServerSettings,
  startServer,
} from "@/e2e/harness/server";
import { type Front, roundRobin } from "./front";

export type Cluster = {
  /** One bank at the address of the round robin. */
  readonly bank: ServerSettings;
  readonly nodes: readonly ClusterNode[];
  /** What each server has been given by host, in the order of the nodes. */
  readonly given: () => { readonly xs2a: readonly number[]; readonly web: readonly number[] };
  readonly stop: () => Promise<void>;
};

type Wanted = {
  readonly folder: string;
  readonly count: number;
  readonly databaseUrl: string;
  /** Where the bank is to be found; free ports when not given. */
  readonly ports?: { readonly xs2a: number; readonly web: number };
  /** For every server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What the servers are first started from; see `ServerSettings`. */
  readonly checkout?: string;
};

/**
 * Server processes of one bank on one PostgreSQL with a round robin in front. They share the folder of
 * the sandbox's CA and secrets; the TLS certificate is the first one's, which alone renews it. Without
 * keep-alive, so that each request of a client is another server's.
 */
export async function startCluster(wanted: Wanted): Promise<Cluster> {
  const { folder, count, databaseUrl, ports } = wanted;
  const dataDir = join(folder, "bank");
  const free = await freshSettings(dataDir);
  const xs2aPort = ports?.xs2a ?? free.xs2aPort;
  const webPort = ports?.web ?? free.webPort;
  const bank: ServerSettings = {
    ...free,
    xs2aPort,
    webPort,
    xs2aUrl: `https://localhost:${xs2aPort}`,
    webUrl: `http://localhost:${webPort}`,
    shared: { KEEP_ALIVE: "false", ...wanted.settings, DATABASE_URL: databaseUrl },
    ...(wanted.checkout !== undefined && { checkout: wanted.checkout }),
  };
  const nodes: ClusterNode[] = [];
  const fronts: Front[] = [];
  const stop = async () => {
    await Promise.all(fronts.map((front) => front.close()));
    await Promise.all(nodes.map((node) => node.end()));
  };
  try {
    for (let number = 1; number <= count; number += 1) {
      nodes.push(clusterNode(await nodeSettings(bank, number)));
    }
    const [first, ...others] = nodes;
    // It makes what the others find.
    await first?.start();
    await Promise.all(others.map((node) => node.start()));
    const front = async (port: number, host: "xs2aPort" | "webPort") => {
      const opened = await roundRobin(
        port,
        nodes.map(({ settings, isReady }) => ({ port: settings[host], isReady })),
      );
      fronts.push(opened);
      return opened;
    };
    const [xs2a, web] = [await front(xs2aPort, "xs2aPort"), await front(webPort, "webPort")];
    return { bank, nodes, given: () => ({ xs2a: xs2a.given(), web: web.given() }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function nodeSettings(bank: ServerSettings, number: number): Promise<ServerSettings> {
  const { xs2aPort, webPort, staffPort } = await freshSettings(bank.dataDir);
  const tls = join(bank.dataDir, "tls.pem");
  const shown = number === 1 ? {} : { XS2A_TLS_CERT: tls, XS2A_TLS_KEY: tls };
  return { ...bank, xs2aPort, webPort, staffPort, shared: { ...bank.shared, ...shown } };
}

/** One of several server processes, as an operator has it in hand. */
export type ClusterNode = {
  readonly settings: ServerSettings;
  /** By its own word, asked for a moment ago. */
  readonly isReady: () => boolean;
  /** All that it has written so far, over all its starts. */
  readonly output: () => string;
  /** Does nothing when it runs. */
  readonly start: (from?: Pick<ServerSettings, "checkout">) => Promise<void>;
  /** SIGTERM; the exit code. */
  readonly terminate: () => Promise<number | null>;
  readonly kill: () => Promise<void>;
  /** For good. */
  readonly end: () => Promise<void>;
};

const ASKED_EVERY_MS = 100;
const ASKING_MS = 1_000;

function clusterNode(settings: ServerSettings): ClusterNode {
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

  /** Taken out of the round robin first: no request is to reach a server that is ending. */
  function taken(): RunningServer | undefined {
    const server = running;
    running = undefined;
    return server;
  }

  return {
    settings,
    isReady: () => ready,
    output: () => started.map(({ output }) => output()).join(""),
    start: async (from) => {
      if (running === undefined) {
        running = await startServer({ ...settings, ...from });
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
