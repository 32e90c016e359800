import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "@/e2e/harness/processes";
import { steadyPort } from "@/e2e/harness/steady-port";
import {
  databaseAccount,
  databaseName,
  readPostmaster,
  superuser,
} from "@/lib/server/embedded-database";
import { isRunning } from "@/lib/server/lock-file";
import { atDatabase } from "./campaign";
import { debianPostgres } from "./debian-postgres";

/** Three PostgreSQL in the hands of Patroni, which keeps one of the two standbys synchronous, and an etcd. */
export type PatroniCluster = {
  /** With all hosts, as DATABASE_URL has them. */
  readonly url: string;
  /** The leader alone, which of the three it was when that was last asked. */
  readonly leaderUrl: () => string;
  readonly leaderPort: () => number;
  /** Each does to the leader what its name says, and resolves to what takes it back. */
  readonly faults: Readonly<Record<LeaderFault, () => Promise<() => Promise<void>>>>;
  /** Until there is one leader that both others follow, one of them synchronously. */
  readonly untilWhole: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export const leaderFaults = ["kill", "partition", "switch over", "freeze"] as const;
type LeaderFault = (typeof leaderFaults)[number];

/** What cannot be had here, of what Debian calls patroni, etcd-server and postgresql; undefined when all is there. */
export function missingForPatroni(): string | undefined {
  if (debianPostgres() === undefined) return "postgresql";
  return ["patroni", "etcd"].find((name) => spawnSync(name, ["--version"]).status !== 0);
}

/** In seconds. The leader's lock ends after `ttl`; one that cannot renew it in time steps back before. */
const dcs = { ttl: 7, loop_wait: 1, retry_timeout: 3 };
const NAMES = ["one", "two", "three"] as const;
const WHOLE_PATIENCE_MS = 120_000;
/** A standby that follows is in step within seconds. */
const REINITIALISED_AFTER_MS = 20_000;
const ASKED_EVERY_MS = 100;
const ASKING_MS = 1_000;

export async function patroniCluster(folder: string): Promise<PatroniCluster> {
  const bin = debianPostgres();
  if (bin === undefined) throw new Error("there is no PostgreSQL of Debian's");
  // The database's user has to come through.
  await chmod(folder, 0o711);
  const password = randomBytes(24).toString("hex");
  const etcd = await startEtcd(join(folder, "etcd"));
  const nodes: Node[] = [];
  const stop = async () => {
    for (const node of nodes) await killed(node);
    for (const { lines } of nodes) for (const line of Object.values(lines)) await line.close();
    await end(etcd.process);
  };
  const urlOf = (ports: readonly number[], database: string = databaseName) => {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
    return `postgres://${superuser}:${password}@${hosts}/${database}`;
  };
  try {
    for (const name of NAMES) {
      nodes.push(await newNode(join(folder, name), { name, bin, password, etcd: etcd.port }));
    }
    await Promise.all(nodes.map(startPatroni));
    let leader = await untilLeader(nodes);
    const database = urlOf([leader.port], "postgres");
    await atDatabase(
      () => database,
      (sql) => sql.unsafe(`create database ${databaseName}`),
    );

    const onLeader =
      (fault: (node: Node) => Promise<() => Promise<unknown>>) =>
      async (): Promise<() => Promise<void>> => {
        const mend = await fault(leader);
        return async () => void (await mend());
      };
    const untilWhole = async () => {
      const began = performance.now();
      let again = REINITIALISED_AFTER_MS;
      for (;;) {
        leader = await untilLeader(nodes);
        const following = await followers(urlOf([leader.port]));
        const isFollowed = following.size === NAMES.length - 1;
        if (isFollowed && [...following.values()].includes("sync")) {
          // PostgreSQL says so before Patroni has noted which standby may become the leader.
          if ((await whoIs("synchronous", nodes)) !== undefined) return;
        }
        const waited = performance.now() - began;
        if (waited > WHOLE_PATIENCE_MS) throw new Error(`not whole again:\n${await logsOf(nodes)}`);
        if (waited > again) {
          const lost = nodes.filter((one) => one !== leader && !following.has(one.name));
          await Promise.all(lost.map(reinitialise));
          again += REINITIALISED_AFTER_MS;
        }
        await sleep(ASKED_EVERY_MS);
      }
    };
    await untilWhole();
    return {
      url: urlOf(nodes.map(({ port }) => port)),
      leaderUrl: () => urlOf([leader.port]),
      leaderPort: () => leader.port,
      faults: {
        kill: onLeader(async (node) => {
          await killed(node);
          return () => startPatroni(node);
        }),
        // From the others, and etcd, and not from its clients: it must acknowledge nothing to them.
        partition: onLeader(async ({ lines }) => {
          for (const line of Object.values(lines)) line.cut();
          return async () => Object.values(lines).map((line) => line.mend());
        }),
        "switch over": onLeader(async (node) => {
          await switchedOver(node);
          return async () => undefined;
        }),
        freeze: onLeader(async (node) => {
          const processes = await processesOf(node);
          for (const pid of processes) signal(pid, "SIGSTOP");
          // Reset, as by a watchdog: a leader that went on would answer reads with old data for a moment.
          return async () => {
            await killed(node);
            await startPatroni(node);
          };
        }),
      },
      untilWhole,
      stop,
    };
  } catch (error) {
    const said = await logsOf(nodes);
    await stop();
    throw new Error(`Patroni does not start:\n${said}`, { cause: error });
  }
}

type Node = {
  readonly name: string;
  readonly home: string;
  /** Where PostgreSQL takes clients, and Patroni questions. */
  readonly port: number;
  readonly rest: number;
  /** The ways from the other nodes to this one, and from this one to etcd. */
  readonly lines: Readonly<Record<"postgres" | "rest" | "etcd", Line>>;
  patroni?: ChildProcess | undefined;
};

type Wanted = {
  readonly name: string;
  readonly bin: string;
  readonly password: string;
  /** Its port. */
  readonly etcd: number;
};

async function newNode(home: string, { name, bin, password, etcd }: Wanted): Promise<Node> {
  await mkdir(home, { mode: 0o700 });
  const port = await steadyPort();
  const rest = await steadyPort();
  const lines = {
    postgres: await lineTo(port),
    rest: await lineTo(rest),
    etcd: await lineTo(etcd),
  };
  const at = (of: number) => `127.0.0.1:${of}`;
  const config = {
    ...{ scope: "drawbridge", name },
    restapi: { listen: at(rest), connect_address: at(lines.rest.port) },
    // Otherwise it would go on with the address that etcd itself tells.
    etcd3: { host: at(lines.etcd.port), use_proxies: true },
    bootstrap: {
      dcs: {
        ...dcs,
        // A PostgreSQL that has crashed is not waited for: a standby takes over at once.
        master_start_timeout: 0,
        synchronous_mode: true,
        // Without a standby in step nothing is acknowledged.
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, use_slots: true },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }],
    },
    postgresql: {
      ...{ listen: at(port), connect_address: at(lines.postgres.port), bin_dir: bin },
      ...{ data_dir: join(home, "data"), pgpass: join(home, "pgpass") },
      remove_data_directory_on_rewind_failure: true,
      basebackup: { checkpoint: "fast" },
      authentication: {
        superuser: { username: superuser, password },
        replication: { username: "replicator", password },
      },
      parameters: {
        ...{ unix_socket_directories: home, password_encryption: "scram-sha-256" },
        // Nothing is acknowledged before a standby follows the new leader: usually it tries every five seconds.
        wal_retrieve_retry_interval: "500ms",
      },
      pg_hba: ["all", "replication"].map((to) => `host ${to} all 127.0.0.1/32 scram-sha-256`),
    },
  };
  // JSON is YAML.
  await writeFile(join(home, "patroni.yaml"), JSON.stringify(config), { mode: 0o600 });
  const { uid, gid } = databaseAccount();
  for (const path of [home, join(home, "patroni.yaml")]) {
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  }
  return { name, home, port, rest, lines };
}

async function startPatroni(node: Node): Promise<void> {
  node.patroni = await startIn(node.home, "patroni", [join(node.home, "patroni.yaml")]);
}

async function startEtcd(home: string) {
  await mkdir(home, { mode: 0o700 });
  const { uid, gid } = databaseAccount();
  if (uid !== undefined && gid !== undefined) await chown(home, uid, gid);
  const port = await steadyPort();
  const peer = `http://127.0.0.1:${await steadyPort()}`;
  const client = `http://127.0.0.1:${port}`;
  const options = {
    ...{ name: "etcd", "data-dir": join(home, "data") },
    ...{ "listen-client-urls": client, "advertise-client-urls": client },
    ...{ "listen-peer-urls": peer, "initial-advertise-peer-urls": peer },
    "initial-cluster": `etcd=${peer}`,
  };
  const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
  const started = await startIn(home, "etcd", args);
  // Patroni does not take the answer that it gives until its version is agreed on.
  for (const end = performance.now() + WHOLE_PATIENCE_MS; performance.now() < end; ) {
    const answer = await fetch(`${client}/version`).catch(() => null);
    if (/"etcdcluster":"\d/.test((await answer?.text()) ?? "none")) break;
    await sleep(ASKED_EVERY_MS);
  }
  return { port, process: started };
}

/** As the database's account; what it says is in `log`. */
async function startIn(home: string, program: string, args: string[]): Promise<ChildProcess> {
  const log = await open(join(home, "log"), "a");
  const env = { NODE_ENV: "production", PATH: process.env["PATH"], LC_ALL: "C.UTF-8" } as const;
  const stdio = ["ignore", log.fd, log.fd] as const;
  const child = spawn(program, args, { ...databaseAccount(), cwd: home, env, stdio: [...stdio] });
  await once(child, "spawn");
  await log.close();
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The one that has the lock. */
async function untilLeader(nodes: readonly Node[]): Promise<Node> {
  const end = performance.now() + WHOLE_PATIENCE_MS;
  while (performance.now() < end) {
    const leader = await whoIs("leader", nodes);
    if (leader !== undefined) return leader;
    await sleep(ASKED_EVERY_MS);
  }
  throw new Error("no leader");
}

/** The first to which Patroni has given this role. */
async function whoIs(
  role: "leader" | "synchronous",
  nodes: readonly Node[],
): Promise<Node | undefined> {
  for (const node of nodes) {
    const options = { signal: AbortSignal.timeout(ASKING_MS) };
    const answer = await fetch(`http://127.0.0.1:${node.rest}/${role}`, options).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.ok === true) return node;
  }
  return undefined;
}

/** The standbys that stream from the leader, by name, and whether each is synchronous; a base backup streams too and is not counted. */
async function followers(url: string): Promise<ReadonlyMap<string, string>> {
  const asked = atDatabase(
    () => url,
    (sql) => sql<{ name: string; state: string }[]>`
      select application_name as name, sync_state as state from pg_stat_replication
      where state = 'streaming' and application_name in ${sql(NAMES)}`,
  );
  return new Map((await asked.catch(() => [])).map(({ name, state }) => [name, state]));
}

/** As by `patronictl switchover`: it is refused while Patroni finds no candidate, and then asked again. */
async function switchedOver({ name, rest }: Node): Promise<void> {
  const end = performance.now() + WHOLE_PATIENCE_MS;
  for (;;) {
    const asked = { method: "POST", body: JSON.stringify({ leader: name }) };
    const answer = await fetch(`http://127.0.0.1:${rest}/switchover`, asked);
    const said = await answer.text();
    if (answer.ok) return;
    if (performance.now() > end) throw new Error(`no switch over: ${answer.status} ${said}`);
    console.log(`switch over: asked again after ${answer.status} ${said}`);
    await sleep(ASKED_EVERY_MS);
  }
}

/**
 * As an operator does by `patronictl reinit`: a former leader can have written more than the next one was given, and
 * Patroni 3.0 does not always see that it needs pg_rewind.
 */
async function reinitialise({ rest }: Node): Promise<void> {
  const asked = { method: "POST", body: "{}", signal: AbortSignal.timeout(ASKING_MS) };
  const answer = await fetch(`http://127.0.0.1:${rest}/reinitialize`, asked).catch(() => null);
  await answer?.arrayBuffer().catch(() => undefined);
}

/** Of what stands for one machine. */
async function processesOf({ home, patroni }: Node): Promise<readonly number[]> {
  const found = await readPostmaster(join(home, "data"));
  const parents = [patroni?.pid, found?.pid].filter((pid) => pid !== undefined);
  return parents.flatMap((pid) => [pid, ...childrenOf(pid)]);
}

/** As if its machine had lost its power: every process at once. */
async function killed(node: Node): Promise<void> {
  const processes = await processesOf(node);
  for (const pid of processes) signal(pid, "SIGKILL");
  while (processes.some(isRunning)) await sleep(10);
  node.patroni = undefined;
  await rm(join(node.home, "data", "postmaster.pid"), { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself meanwhile.
  }
}

async function logsOf(nodes: readonly Node[]): Promise<string> {
  const logs = nodes.map(async ({ name, home }) => {
    const text = await readFile(join(home, "log"), "utf8").catch(() => "no log");
    return `${name}:\n${text.slice(-1_500)}`;
  });
  return (await Promise.all(logs)).join("\n");
}

type Line = {
  readonly port: number;
  /** From now on nothing comes through in either direction, and nothing is closed. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

/** A port of this machine in front of another. */
async function lineTo(to: number): Promise<Line> {
  const open = new Set<Socket>();
  let isCut = false;
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  const listening = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    for (const [from, onward] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on("data", (chunk) => isCut || onward.write(chunk));
      from.on("error", () => undefined);
      from.on("close", () => {
        open.delete(from);
        if (!isCut) onward.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      // What was lost once is never followed by what comes after it.
      end();
      isCut = false;
    },
    close: async () => {
      end();
      listening.close();
    },
  };
}
