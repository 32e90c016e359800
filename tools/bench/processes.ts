import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { LimitSettings, Plans } from "./limit";
import { logInJson } from "./statements";

/** What has been opened is closed in the opposite order, also when somebody stops the bench. */
export type Cleanup = (close: () => Promise<unknown>) => void;

export type Product = {
  readonly dataDir: string;
  readonly xs2aPort: number;
  readonly xs2aUrl: string;
  readonly webUrl: string;
  /** Of the process that `npm start` begins; others are its children. */
  readonly pid: number;
  readonly database: postgres.Sql;
  readonly databaseUrl: string;
  /** Of PostgreSQL's first process. */
  readonly databasePid: number;
};

const START_PATIENCE_MS = 300_000;
const STOP_PATIENCE_MS = 30_000;

/**
 * A sandbox of its own as `npm start` in this checkout makes it, with its own PostgreSQL. It is started twice: the
 * first start builds when it has to, makes the demo bank, and leaves a PostgreSQL that logs in a form one can read.
 */
export async function startProduct(
  checkout: string,
  given: Readonly<Record<string, string>>,
  cleanup: Cleanup,
): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-bench-"));
  cleanup(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL does not run as root; its own user has to be able to enter.
  await chmod(folder, 0o711);
  const dataDir = join(folder, "data");
  const [xs2aPort, webPort] = [await freePort(), await freePort()];
  const [xs2aUrl, webUrl] = [`https://localhost:${xs2aPort}`, `http://localhost:${webPort}`];
  const environment = {
    ...(await unsetSettings(checkout)),
    ...given,
    ...{ NODE_ENV: "production", SANDBOX: "true", DATA_DIR: dataDir },
    ...{ XS2A_PORT: `${xs2aPort}`, XS2A_URL: xs2aUrl, WEB_PORT: `${webPort}`, WEB_URL: webUrl },
  };
  const first = await npmStart(checkout, environment, cleanup);
  const databaseUrl = await embeddedUrl(dataDir);
  const before = postgres(databaseUrl, { max: 1 });
  await logInJson(before);
  await before.end();
  await first.stop();
  const { pid } = await npmStart(checkout, environment, cleanup);
  const database = postgres(databaseUrl, { max: 1, max_lifetime: null, onnotice: () => undefined });
  cleanup(() => database.end({ timeout: 5 }));
  const [backend] = await database<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const databasePid = (await statOf(Number(backend?.pid)))?.parent ?? 0;
  return { dataDir, xs2aPort, xs2aUrl, webUrl, pid, database, databaseUrl, databasePid };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Empty counts as unset, and keeps out what an `.env` says. */
async function unsetSettings(checkout: string): Promise<Readonly<Record<string, string>>> {
  const example = await readFile(join(checkout, ".env.example"), "utf8");
  return Object.fromEntries(
    [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => [name, ""]),
  );
}

async function embeddedUrl(dataDir: string): Promise<string> {
  const [port, password] = await Promise.all(
    ["port", "password"].map((name) => readFile(join(dataDir, "pg", name), "utf8")),
  );
  return `postgres://drawbridge:${password?.trim()}@127.0.0.1:${port?.trim()}/drawbridge`;
}

async function npmStart(
  checkout: string,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
) {
  const { scripts } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8"));
  const path = `${join(checkout, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
  const child = spawn("sh", ["-c", scripts.start], {
    cwd: checkout,
    env: { ...process.env, ...environment, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const stop = () => ended(child, "SIGINT");
  cleanup(stop);
  const late = performance.now() + START_PATIENCE_MS;
  while (!output.includes("Drawbridge is ready")) {
    if (child.exitCode !== null || performance.now() > late)
      throw new Error(`npm start in ${checkout} does not become ready:\n${output}`);
    await sleep(100);
  }
  return { pid: Number(child.pid), stop };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE_MS);
  child.kill(signal);
  await once(child, "exit");
  clearTimeout(late);
}

export type Limit = {
  readonly port: number;
  readonly pid: number;
  readonly learn: (plans: Plans) => Promise<void>;
};

export async function startLimit(settings: LimitSettings, cleanup: Cleanup): Promise<Limit> {
  const child = fork(join(import.meta.dirname, "limit.ts"), { execArgv: ["--import", "tsx"] });
  cleanup(() => ended(child, "SIGTERM"));
  child.send(settings);
  const [port] = (await once(child, "message")) as [number];
  const learn = async (plans: Plans) => {
    child.send(plans);
    await once(child, "message");
  };
  return { port, pid: Number(child.pid), learn };
}

export type Usage = { readonly cpuSeconds: number; readonly megabytes: number };
type Stat = { pid: number; name: string; parent: number; ticks: number };

const TICKS_PER_SECOND = 100;
const PAGES_PER_MEGABYTE = 256;

/** Of a process and those below it, so far: user and system time, and what is resident; PostgreSQL's only by itself. */
export async function usageOf(pid: number): Promise<Usage> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((one) => statOf(Number(one))));
  const stats = found.filter((one) => one !== undefined);
  const root = stats.find((one) => one.pid === pid);
  if (root === undefined) throw new Error(`there is no process ${pid}`);
  const family = [root];
  for (const { pid: parent } of family) {
    const children = stats.filter((one) => one.parent === parent);
    family.push(...children.filter(({ name }) => name !== "postgres" || root.name === name));
  }
  const pages = await Promise.all(family.map((one) => readFile(`/proc/${one.pid}/statm`, "utf8")));
  return {
    cpuSeconds: family.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND,
    megabytes:
      pages.reduce((sum, text) => sum + Number(text.split(" ")[1]), 0) / PAGES_PER_MEGABYTE,
  };
}

/** proc_pid_stat(5), with the time of children that have ended and been waited for. */
async function statOf(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [open, close] = [text.indexOf("("), text.lastIndexOf(")")];
  const fields = text
    .slice(close + 2)
    .split(" ")
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
  return { pid, name: text.slice(open + 1, close), parent: Number(fields[1]), ticks };
}
