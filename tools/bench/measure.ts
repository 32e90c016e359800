import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { connect } from "node:tls";
import {
  atRate,
  type Call,
  type ExpectedCall,
  poolOf,
  saturate,
  send,
  signedRequests,
  type Target,
} from "./load";
import type { Options } from "./options";
import {
  type Cleanup,
  type Limit,
  type Product,
  startLimit,
  startProduct,
  usageOf,
} from "./processes";
import { prepareRequests, type RequestName, type Requests } from "./requests";
import { planOf, type Recorder, type Recording, recorder, shapeOf } from "./statements";

/** A product and its limit, on one database. */
type Pair = {
  readonly name: string;
  readonly product: Product;
  readonly limit: Limit;
  readonly requests: Requests;
  readonly recorder: Recorder;
};
type Server = {
  readonly name: string;
  readonly pid: number;
  readonly target: Target;
  readonly pair: Pair;
};

/** What is measured, and with how many digits it is shown. Times of processors and bytes are those of a request. */
export const columns = {
  "requests/s": 0,
  "of the limit": 2,
  "p50 ms": 1,
  "p99 ms": 1,
  "CPU µs": 0,
  "database CPU µs": 0,
  "WAL bytes": 0,
  "memory MB": 0,
} as const;
type Figures = Readonly<Record<keyof typeof columns, number>>;
export type Round = {
  readonly request: RequestName;
  readonly server: string;
  readonly figures: Figures;
};

const RECORDINGS_MAX = 8;
/** Requests: many to warm up, and then some to see about how many a second there are. */
const WARMING = [1_500, 400];

export async function bench(options: Options, cleanup: Cleanup): Promise<readonly Round[]> {
  const servers: Server[] = [];
  for (const checkout of options.checkouts)
    servers.push(...serversOf(await startPair(checkout, options, cleanup)));
  for (const { name, pid } of servers)
    console.error(`${name} starts with ${(await usageOf(pid)).megabytes.toFixed(0)} MB`);
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const request of options.only) {
      rounds.push(...(await measure(request, turned(servers, round), options)));
      console.error(`round ${round + 1}, ${request}`);
    }
  }
  return rounds;
}

async function startPair(checkout: string, options: Options, cleanup: Cleanup): Promise<Pair> {
  const { pool, only: names, consents } = options;
  const name =
    checkout === options.checkouts[0] ? "Drawbridge" : `Drawbridge in ${basename(checkout)}`;
  console.error(`starting ${name}`);
  const settings = {
    DATABASE_CONNECTIONS: `${pool}`,
    // One TPP sends everything, as fast as it is answered.
    TPP_REQUESTS_PER_MINUTE: "100000000",
    // A checkout of before 0.1.0 kept pages of transactions: each page is read.
    KEPT_PAGES_MEGABYTES: "0",
  };
  const product = await startProduct(checkout, settings, cleanup);
  console.error(`${name}: the PSU authorises ${consents} consents of each kind`);
  const requests = await prepareRequests(product, { names, consents }, cleanup);
  const own = await readFile(join(product.dataDir, "tls.pem"), "utf8");
  const { databaseUrl, database } = product;
  const { ca } = requests.certificates;
  const tls = { cert: own, key: own, ca };
  const limit = await startLimit({ ...tls, databaseUrl, connections: pool }, cleanup);
  const pair = { name, product, limit, requests, recorder: await recorder(database) };
  const [theirs, limits] = await Promise.all(
    serversOf(pair).map(({ target }) => agreedTls(target)),
  );
  if (theirs !== limits) throw new Error(`${name} speaks ${theirs}, and its limit ${limits}`);
  return pair;
}

function serversOf(pair: Pair): readonly [product: Server, limit: Server] {
  const { name, product, limit, requests } = pair;
  const { ca, qwac: certificate } = requests.certificates;
  return [
    { name, pid: product.pid, target: { port: product.xs2aPort, ca, certificate }, pair },
    {
      name: `limit of ${name}`,
      pid: limit.pid,
      target: { port: limit.port, ca, certificate },
      pair,
    },
  ];
}

/** Version, cipher and key agreement. */
function agreedTls({ port, ca, certificate: { pem: cert, key } }: Target): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "localhost", servername: "localhost", port, ca, cert, key });
    socket.on("error", reject);
    socket.on("secureConnect", () => {
      const agreed = [socket.getProtocol(), socket.getCipher().name, socket.getEphemeralKeyInfo()];
      socket.destroy();
      resolve(JSON.stringify(agreed));
    });
  });
}

/** All of them, the nth first and on from there. */
function turned<One>(all: readonly One[], nth: number): readonly One[] {
  const first = nth % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/**
 * One round of one request. Each server is saturated for about a second and then the next one, and so on in turn: how
 * fast a machine is that others share changes within seconds, and what is compared should have had the same machine.
 */
async function measure(
  request: RequestName,
  servers: readonly Server[],
  { seconds, connections, rate }: Options,
): Promise<readonly Round[]> {
  const calls = new Map<Pair, readonly ExpectedCall[]>();
  for (const pair of new Set(servers.map((server) => server.pair)))
    calls.set(pair, await learn(pair, request));
  const places = servers.map((server) => ({
    server,
    pool: poolOf(server.target, connections),
    sign: (count: number) =>
      signedRequests(server.pair.requests.seal, calls.get(server.pair) ?? [], count),
    perSecond: 0,
    sums: { requests: 0, seconds: 0, cpu: 0, databaseCpu: 0, wal: 0, megabytes: 0 },
  }));
  // Connections are opened, and V8 compiles while it serves.
  for (const place of places) {
    for (const count of WARMING) {
      const took = await saturate(place.pool, place.sign(count), connections);
      place.perSecond = count / took;
    }
  }
  for (let slice = 0; slice < seconds; slice += 1) {
    for (const { server, pool, sign, sums, perSecond } of turned(places, slice)) {
      const requests = sign(perSecond);
      const before = await usedBy(server);
      sums.seconds += await saturate(pool, requests, connections);
      const after = await usedBy(server);
      sums.requests += requests.length;
      sums.cpu += after.cpu - before.cpu;
      sums.databaseCpu += after.databaseCpu - before.databaseCpu;
      sums.wal += after.wal - before.wal;
      sums.megabytes = Math.max(sums.megabytes, after.megabytes);
    }
  }
  const rounds: Round[] = [];
  for (const { server, pool, sign, sums } of places) {
    const found = await atRate(pool, sign(rate * seconds), rate);
    await pool.close();
    const latencies = found.toSorted((a, b) => a - b);
    const quantile = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
    const limit = places.find((one) => one.server.pid === server.pair.limit.pid)?.sums ?? sums;
    const figures = {
      "requests/s": sums.requests / sums.seconds,
      "of the limit": sums.requests / sums.seconds / (limit.requests / limit.seconds),
      "p50 ms": quantile(0.5),
      "p99 ms": quantile(0.99),
      "CPU µs": (sums.cpu * 1e6) / sums.requests,
      "database CPU µs": (sums.databaseCpu * 1e6) / sums.requests,
      "WAL bytes": sums.wal / sums.requests,
      "memory MB": sums.megabytes,
    };
    rounds.push({ request, server: server.name, figures });
  }
  return rounds;
}

async function usedBy({ pid, pair: { product } }: Server) {
  const { database, databasePid } = product;
  const [row] = await database<{ wal: number }[]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`;
  const { cpuSeconds: cpu, megabytes } = await usageOf(pid);
  const { cpuSeconds: databaseCpu } = await usageOf(databasePid);
  return { cpu, megabytes, databaseCpu, wal: row?.wal ?? 0 };
}

/** The limit learns what is sent for each call; yields the calls with how the product answers them. */
async function learn(pair: Pair, request: RequestName): Promise<readonly ExpectedCall[]> {
  const calls = await pair.requests.calls(request);
  const [{ target }] = serversOf(pair);
  const pool = poolOf(target, 1);
  const plans: Record<string, string> = {};
  const expected: ExpectedCall[] = [];
  await pair.recorder.start();
  for (const call of calls) {
    const [one, other] = await twoAlike(() => record(pair, pool, call));
    plans[`${call.method} ${call.path} ${call.headers["consent-id"]}`] = planOf(one, other);
    const { status, body } = other.answer;
    expected.push({ ...call, expected: { status, bytes: Buffer.byteLength(body) } });
  }
  await pair.recorder.stop();
  await pool.close();
  await pair.limit.learn(plans);
  return expected;
}

/** Now and then a job of the server's own speaks in between; and what comes first may be looked up for the first time. */
async function twoAlike(
  record: () => Promise<Recording>,
): Promise<readonly [Recording, Recording]> {
  const seen: Recording[] = [];
  await record();
  while (seen.length < RECORDINGS_MAX) {
    const recording = await record();
    const twin = seen.find((one) => shapeOf(one) === shapeOf(recording));
    if (twin !== undefined) return [twin, recording];
    seen.push(recording);
  }
  throw new Error(`no two of ${RECORDINGS_MAX} recordings of a request are alike`);
}

async function record({ requests, recorder }: Pair, pool: ReturnType<typeof poolOf>, call: Call) {
  const [signed] = signedRequests(requests.seal, [call], 1);
  if (signed === undefined) throw new Error("nothing was signed");
  const at = Date.now();
  const [answer, units] = await recorder.during(() => send(pool, signed));
  const text = { ...answer, body: answer.body.toString() };
  if (answer.status >= 300) throw new Error(`HTTP ${answer.status}: ${text.body}`);
  return { requestId: signed.requestId, at, units, answer: text };
}
