import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import type { Pool } from "undici";
import { z } from "zod";
import { type BenchReport, benchReport, benchTable } from "@/cli/bank/supervisor-pack/stress-test";
import { runBank } from "@/cli/bank/testing";
import type { Seal } from "@/clients/typescript/src";
import { startCoreBank } from "@/e2e/harness/core-bank";
import { ownDatabase } from "@/e2e/harness/own-database";
import { residentOf } from "@/e2e/harness/processes";
import { freshSettings, startServer } from "@/e2e/harness/server";
import { freePort } from "@/lib/server/embedded-database";
import { quantile } from "@/tools/faults/measuring";
import type { LimitSettings } from "./limit";
import { atRate, type Call, poolOf, saturate, send, signedCalls } from "./load";
import {
  liftLimits,
  prepareRequests,
  type RequestName,
  type Requests,
  recordEvents,
  titles,
  type Without,
  withouts,
} from "./requests";
import { loggedDuring, logStatements, planOf, type Recording, shapeOf } from "./statements";

/**
 * `npm run bench`: six requests against the bank and against a bare server that does the same TLS, RSA check and
 * statements. The table goes to the standard output, and what is under way to the other one; docs/performance.md says
 * what is measured.
 */
const CONNECTIONS = 16;
const RATE_PER_SECOND = 200;
/** Of each process to its database, as is the product's own default. */
const DATABASE_CONNECTIONS = 4;
/** Requests: many to warm up, and then some to see about how many a second there are. */
const WARMING = [1_500, 400];
const RECORDINGS_MAX = 8;

/** A product, or the limit beside it. */
type Server = {
  readonly name: string;
  readonly pid: number;
  readonly pool: Pool;
  readonly seal: Seal;
  readonly calls: (name: RequestName) => Promise<readonly Call[]>;
  readonly before?: () => Promise<unknown>;
};
/** No limit beside a core bank of its own, whose calls it would not make. */
type Pair = readonly [product: Server, limit?: Server];

type Round = BenchReport["figures"][number];
/** By request and server, the requests a second of each slice of its rounds. */
const rates = new Map<string, number[]>();

const requestNames = Object.keys(titles) as [RequestName, ...RequestName[]];
const count = (usual: number) => z.coerce.number().int().min(1).default(usual);
const [text, texts] = [{ type: "string" }, { type: "string", multiple: true }] as const;
/** docs/performance.md says what they are for. */
const options = z
  .object({
    seconds: count(4),
    rounds: count(3),
    consents: count(32),
    only: z.array(z.enum(requestNames)).default(requestNames),
    core: z.enum(["embedded", "http"]).default("embedded"),
    checkout: z.array(z.string().transform((folder) => resolve(folder))).default([]),
    without: z.array(z.enum(withouts)).default([]),
    json: z.string().optional(),
  })
  .parse(
    parseArgs({
      options: {
        ...{ seconds: text, rounds: text, consents: text, core: text, json: text },
        ...{ only: texts, checkout: texts, without: texts },
      },
    }).values,
  );
const here = join(import.meta.dirname, "../..");
/** What has been opened is closed in the opposite order, also when the bench is interrupted. */
const open: (() => unknown)[] = [];
let closing: Promise<void> | undefined;
const close = () => {
  closing ??= (async () => {
    for (const one of open.toReversed()) await one();
  })();
  return closing;
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)));
}
try {
  const pairs: Pair[] = [];
  for (const checkout of [here, ...options.checkout]) pairs.push(...(await startPair(checkout)));
  if (options.without.includes("measuring")) pairs.push(...(await startPair(here, "measuring")));
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const request of options.only) {
      rounds.push(...(await measure(request, turned(pairs, round))));
      console.error(`round ${round + 1}, ${request}`);
    }
  }
  const report = reportOf(rounds);
  console.log(markdown(report));
  for (const without of options.without) console.log(`\n${costsOf(without).join("\n")}`);
  if (options.json !== undefined) await writeFile(options.json, JSON.stringify(report));
} finally {
  await close();
}

/** A sandbox with a PostgreSQL of its own, as `npm start` in this folder makes it, and a limit on the same database. */
async function startPair(checkout: string, without?: "measuring"): Promise<readonly Pair[]> {
  const place = checkout === here ? "" : ` in ${basename(checkout)}`;
  const name = `Drawbridge${place}${without === undefined ? "" : ` without ${without}`}`;
  console.error(`starting ${name}`);
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-bench-"));
  open.push(() => rm(folder, { recursive: true, force: true }));
  const { url: databaseUrl, ...postgresql } = await ownDatabase(join(folder, "database"));
  open.push(postgresql.stop);
  const settingUp = postgres(databaseUrl, { max: 1 });
  await logStatements(settingUp, "all");
  await settingUp.end();
  await postgresql.breakDown();
  await postgresql.startAgain();
  const core = options.core === "http" ? await startCoreBank(join(folder, "core")) : undefined;
  open.push(() => core?.stop());
  const profile = join(folder, "bank.yaml");
  const { stdout } = await runBank(["profile"], {});
  const several = stdout.replace(/severalRecurringConsents: .*/, "severalRecurringConsents: true");
  await writeFile(profile, several);
  const shared = {
    ...core?.settings,
    ...{ DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: `${DATABASE_CONNECTIONS}` },
    ...(options.without.includes("measuring") && without !== "measuring" && (await measuring())),
    // One TPP sends everything, as fast as it is answered, with several consents of one PSU.
    TPP_REQUESTS_PER_MINUTE: "100000000",
    BANK_PROFILE: profile,
  };
  const bank = { ...(await freshSettings(join(folder, "bank"))), shared, checkout };
  const product = await startServer(bank);
  open.push(product.stop);
  console.error(`${name} holds ${(await residentOf(product.pid)).toFixed(0)} MB`);

  const database = postgres(databaseUrl, { max: 1, max_lifetime: null, onnotice: () => undefined });
  open.push(() => database.end({ timeout: 5 }));
  await database`set log_statement = 'none'`;
  await liftLimits(database, without);
  console.error(`${name}: the PSU authorises ${options.consents} consents of each kind`);
  const requests = await prepareRequests(bank, options.consents);
  open.push(requests.tpp.close);

  const { qwac, ca } = requests.tpp.certificates;
  const tls = { ca, cert: qwac.pem, key: qwac.key };
  const toProduct = poolOf(bank.xs2aPort, tls, CONNECTIONS);
  open.push(() => toProduct.close());
  const { plans, expected } = await learn(requests, toProduct, database);
  await logStatements(database, "none");

  const common = {
    seal: requests.tpp.seal,
    calls: async (wanted: RequestName) =>
      (await requests.calls(wanted)).map((call) => {
        return { ...call, expected: expected.get(keyOf(call)) };
      }),
  };
  const server = { name, pid: product.pid, pool: toProduct, ...common };
  const inTurn = options.without.includes("events") && without === undefined && checkout === here;
  // The same server: two of one machine differ by more than events cost.
  const measured = { ...server, ...(inTurn && { before: () => recordEvents(database, true) }) };
  const unrecorded = {
    name: `${name} without events`,
    before: () => recordEvents(database, false),
  };
  const others: readonly Pair[] = inTurn ? [[{ ...server, ...unrecorded }]] : [];
  if (core !== undefined) return [[measured], ...others];
  const limit = fork(join(import.meta.dirname, "limit.ts"), { execArgv: ["--import", "tsx"] });
  open.push(() => limit.kill());
  const served = await readFile(join(bank.dataDir, "tls.pem"), "utf8");
  const own: LimitSettings = {
    ...{ cert: served, key: served, ca, plans },
    ...{ databaseUrl, connections: DATABASE_CONNECTIONS },
  };
  limit.send(own);
  const [port] = (await once(limit, "message")) as [number];
  const toLimit = poolOf(port, tls, CONNECTIONS);
  open.push(() => toLimit.close());
  const bare = { name: `limit of ${name}`, pid: Number(limit.pid), pool: toLimit, ...common };
  return [[measured, bare], ...others];
}

/** Metrics, and traces to a receiver that throws them away. */
async function measuring() {
  const sink = createServer((request, response) => {
    request.resume().once("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  open.push(() => sink.close());
  await once(sink, "listening");
  const { port } = sink.address() as AddressInfo;
  return {
    XS2A_METRICS_PORT: String(await freePort(0)),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  };
}

function keyOf({ method, path, headers }: Call): string {
  return `${method} ${path} ${headers["consent-id"]}`;
}

/** What the product does for each call, as the limit is to do it, and how it answers. */
async function learn({ calls, tpp }: Requests, pool: Pool, database: postgres.Sql) {
  const plans: Record<string, string> = {};
  const expected = new Map<string, Call["expected"]>();
  const wanted: Call[] = [];
  // A refresh token is good once: each name's calls may refresh the same consents.
  for (const name of options.only) wanted.push(...(await calls(name)));
  for (const call of wanted) {
    const [one, other] = await twoAlike(async () => {
      const [signed = call] = signedCalls(tpp.seal, [call], 1);
      const at = Date.now();
      const { result: answer, units } = await loggedDuring(database, () => send(pool, signed));
      if (answer.status >= 300) throw new Error(`HTTP ${answer.status}: ${answer.body}`);
      return { call: signed, at, units, answer };
    });
    const { status, body } = other.answer;
    plans[keyOf(call)] = planOf(one, other);
    expected.set(keyOf(call), { status, bytes: Buffer.byteLength(body) });
  }
  return { plans, expected };
}

/** In another order each time, so that none is always the first. */
function turned<One>(all: readonly One[], times: number): readonly One[] {
  const first = times % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/**
 * One round of one request. Each server is saturated for about a second and then the next one, and so on in turn: how
 * fast a machine is that others share changes within seconds, and what is compared should have had the same machine.
 */
async function measure(request: RequestName, pairs: readonly Pair[]): Promise<readonly Round[]> {
  const runs: Run[] = [];
  for (const pair of pairs) {
    const calls = await pair[0].calls(request);
    const sign = (count: number) => signedCalls(pair[0].seal, calls, count);
    for (const server of pair.filter((one) => one !== undefined)) {
      // Connections are opened, and V8 compiles while it serves.
      let perSecond = 0;
      await server.before?.();
      for (const count of WARMING) {
        perSecond = count / (await saturate(server.pool, sign(count), CONNECTIONS));
      }
      runs.push({ server, sign, perSecond, requests: 0, seconds: 0, megabytes: 0 });
    }
  }
  for (let slice = 0; slice < options.seconds; slice += 1) {
    for (const run of turned(runs, slice)) {
      const signed = run.sign(run.perSecond);
      await run.server.before?.();
      const seconds = await saturate(run.server.pool, signed, CONNECTIONS);
      run.seconds += seconds;
      run.requests += signed.length;
      ratesOf(request, run.server.name).push(signed.length / seconds);
      run.megabytes = Math.max(run.megabytes, await residentOf(run.server.pid));
    }
  }
  const rounds: Round[] = [];
  const rate = (run: Run | undefined) => (run?.requests ?? 0) / (run?.seconds ?? 0);
  for (const run of runs) {
    const { server, sign, megabytes } = run;
    const signed = sign(RATE_PER_SECOND * options.seconds);
    await server.before?.();
    const took = await atRate(server.pool, signed, RATE_PER_SECOND);
    const limit = pairs.find((pair) => pair.includes(server))?.[1];
    const share = rate(run) / rate(runs.find((one) => one.server === limit));
    rounds.push({
      ...{ request: titles[request], server: server.name, requestsPerSecond: rate(run) },
      // Without a limit there is nothing to be a part of.
      ...(Number.isFinite(share) && { ofTheLimit: share }),
      ...{ p50Milliseconds: quantile(took, 0.5), p99Milliseconds: quantile(took, 0.99) },
      memoryMegabytes: megabytes,
    });
  }
  return rounds;
}

type Run = {
  readonly server: Server;
  readonly sign: (count: number) => readonly Call[];
  readonly perSecond: number;
  requests: number;
  seconds: number;
  megabytes: number;
};

/** One after the other: a job of the server may query in between, and the first may look up what later ones find. */
async function twoAlike(
  record: () => Promise<Recording>,
  before?: Recording,
  left = RECORDINGS_MAX,
): Promise<readonly [Recording, Recording]> {
  if (left === 0) throw new Error(`no two of ${RECORDINGS_MAX} recordings are alike`);
  const next = await record();
  if (before !== undefined && shapeOf(before) === shapeOf(next)) return [before, next];
  return twoAlike(record, next, left - 1);
}

/** Medians over the rounds. */
function reportOf(rounds: readonly Round[]): BenchReport {
  const placeOf = ({ request, server }: Round) => `${request} ${server}`;
  const figures = [...new Set(rounds.map(placeOf))].map((place) => {
    const of = rounds.filter((one) => placeOf(one) === place).map(Object.entries);
    const medians = of[0]?.map(([name, first], nth) => {
      const values = of.map((one) => one[nth]?.[1]);
      return [name, typeof first === "number" ? quantile(values as number[], 0.5) : first];
    });
    return Object.fromEntries(medians ?? []);
  });
  return benchReport.parse({
    at: new Date().toISOString(),
    command: ["npm run bench --", ...process.argv.slice(2)].join(" "),
    machine: `${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.versions.node}`,
    ...{ connections: CONNECTIONS, perSecond: RATE_PER_SECOND, figures },
  });
}

function markdown(report: BenchReport): string {
  const { columns, rows } = benchTable(report);
  const lines = [columns, columns.map((_, nth) => (nth < 2 ? "---" : "---:")), ...rows];
  const { command, machine, at } = report;
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`);
  return [...table, `\n\`${command}\`, ${machine}, ${at.slice(0, 16)}.`].join("\n");
}

function ratesOf(request: RequestName, server: string): number[] {
  const place = `${request} ${server}`;
  const known = rates.get(place) ?? [];
  rates.set(place, known);
  return known;
}

/**
 * Of each request, how many fewer there are a second with it: the median over all slices, each compared with the one
 * beside it, and the quartiles.
 */
function costsOf(without: Without): readonly string[] {
  return options.only.map((name) => {
    const better = ratesOf(name, `Drawbridge without ${without}`);
    const shares = ratesOf(name, "Drawbridge").map((rate, nth) => 1 - rate / (better[nth] ?? rate));
    const [low, middle, high] = [0.25, 0.5, 0.75].map((at) =>
      (100 * quantile(shares, at)).toFixed(1),
    );
    return `${titles[name]}: ${without} cost ${middle} % of the requests a second (${low} to ${high})`;
  });
}
