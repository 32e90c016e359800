import { type Bank, openTappedBank, type Tapped } from "@/bench/bank";
import { type Closings, newClosings } from "@/bench/closings";
import { grow } from "@/bench/grow";
import { planOf } from "@/bench/learning/plan-of";
import { learn, record } from "@/bench/learning/record";
import { type Limit, startLimit } from "@/bench/limit/limit";
import type { Plan } from "@/bench/limit/plan";
import { startClients } from "@/bench/load/clients";
import { openConnection } from "@/bench/load/connection";
import { shot } from "@/bench/load/shot";
import { measureRounds } from "@/bench/measure/rounds";
import { memorySteps } from "@/bench/memory";
import { CONSTANT, startNextApp } from "@/bench/next-app/next-app";
import { type ReadyBank, readied, temporaryFolder } from "@/bench/ready-bank";
import { inWords } from "@/bench/report";
import { type ScenarioName, scenarioNames, titles } from "@/bench/scenarios";
import { http } from "@/tpp/http";
import { seal } from "@/tpp/signing";
import { agreedTls } from "./harness/agreed-tls";
import { expect, test } from "./harness/test";

/** The short version of `npm run bench`: it fails when the bench is broken, and never on a time. */
test.describe.configure({ mode: "serial", timeout: 120_000 });

const MEASURED: readonly ScenarioName[] = ["accounts", "payments"];

type Opened = Bank & Omit<ReadyBank, "folder"> & { readonly tapped: Tapped };
let closings: Closings;
let folder: string;
let bank: Opened;
let limit: Limit;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  closings = newClosings();
  folder = await temporaryFolder(closings);
  const opened = await openTappedBank(folder, closings);
  bank = await readied(opened, closings, { only: scenarioNames, consents: 2 });
  // Through the tap, so that one sees what it sends.
  limit = await startLimit({ tls: bank.tls, databaseUrl: bank.tapped.tap.url, connections: 4 });
  closings.add(limit.close);
});
test.afterAll(() => closings.close());

for (const name of scenarioNames) {
  test(`the bench: ${name} is answered as the standard has it, and by the limit in the same way`, async ({
    observe,
  }) => {
    const { seal, settings, target } = bank;
    const { port, tap } = bank.tapped;
    const scenario = bank.scenarios.find((one) => one.name === name);
    const calls = (await scenario?.calls()) ?? [];
    const product = { tap, target: target(port), seal };
    const { plans } = await learn(product, calls);
    await limit.learn(plans);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      const recordings = await record(product, call);
      for (const { headers, answer } of recordings) {
        const { method, body = "" } = call;
        const url = `${settings.xs2aUrl}${call.path}`;
        const reply = { ...answer, headers: Object.fromEntries(answer.headers) };
        // What is counted says what is left.
        expect(reply.headers["ratelimit-remaining"]).toBe(
          scenario?.kind === "read" ? "3" : undefined,
        );
        observe({
          request: { method, url, headers, body: Buffer.from(body) },
          reply: { ...reply, body: Buffer.from(answer.body) },
        });
      }
      const plan = planOf(recordings);
      expect(plan.waves.length).toBeGreaterThan(0);
      const limits = await record({ ...product, target: target(limit.port) }, call);
      expect(withoutInstants(planOf(limits))).toEqual(withoutInstants(plan));
    }
  });
}

test("the bench: the limit answers nobody without a certificate, and nothing that was not signed so", async () => {
  const { seal: pair, target, tls } = bank;
  const [payments] = (await bank.scenarios.at(-1)?.calls()) ?? [];
  if (payments === undefined) throw new Error("there is nothing to sign");
  const signed = shot(seal(pair.pem, pair.key), payments).bytes.toString();
  const connection = await openConnection(target(limit.port));
  const changed = await connection.send(Buffer.from(signed.replace("12.50", "99.50")));
  expect(changed.status).toBe(500);
  expect((await connection.send(Buffer.from(signed))).status).toBe(201);
  connection.close();
  const stranger = http({ ca: tls.ca });
  const url = `https://localhost:${limit.port}${payments.path}`;
  await expect(stranger.send({ method: "GET", url, headers: {} })).rejects.toThrow("no answer");
  await stranger.close();
});

/** What a client offers to be refused for the version and nothing else. */
const OLD = "ALL:@SECLEVEL=0";

for (const [what, wishes, agreed] of [
  ["any client", {}, /^TLSv1\.3 TLS_AES_256_GCM_SHA384 /],
  ["TLS 1.2", { maxVersion: "TLSv1.2" }, /^TLSv1\.2 ECDHE-ECDSA-AES256-GCM-SHA384 /],
  ["ChaCha20", { maxVersion: "TLSv1.2", ciphers: "ECDHE+CHACHA20" }, /^TLSv1\.2 .*CHACHA20/],
  ["CBC", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-SHA384" }, /handshake failure/],
  ["TLS 1.1", { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: OLD }, /protocol version/],
] as const) {
  test(`the bench: the limit has the TLS settings of the product, asked for ${what}`, async () => {
    const { settings, target } = bank;
    const [product, other] = await Promise.all(
      [settings.xs2aPort, limit.port].map((port) => agreedTls(target(port), wishes)),
    );
    expect(product).toMatch(agreed);
    expect(other).toBe(product);
  });
}

test("the bench measures a read and a write on every server, and says so", async () => {
  const { databasePid, seal, server, settings, tapped, target, tls } = bank;
  const scenarios = bank.scenarios.filter(({ name }) => MEASURED.includes(name));
  const next = await startNextApp(`${folder}/next`, tls);
  closings.add(next.close);
  const clients = startClients(1);
  closings.add(clients.close);
  const said: string[] = [];
  const table = await measureRounds({
    scenarios,
    contestants: [
      { name: "ours", pid: server.pid, target: target(settings.xs2aPort) },
      { name: "limit", pid: limit.pid, target: target(limit.port) },
      {
        name: "next",
        pid: next.pid,
        target: target(next.port),
        constant: { status: 200, bodyBytes: Buffer.byteLength(CONSTANT) },
      },
    ],
    limit,
    watched: { tap: tapped.tap, target: target(tapped.port), seal },
    clients,
    seal,
    databasePid,
    size: { seconds: 0.1, connections: 2, rate: 40, rounds: 1 },
    say: (line) => said.push(line),
  });
  expect(said).toHaveLength(3 * MEASURED.length);
  for (const row of Object.values(table)) {
    for (const { median } of [row.ours, row.limit, row.next]) {
      expect(Object.values(median).every((figure) => figure >= 0)).toBe(true);
      expect(median.requestsPerSecond).toBeGreaterThan(0);
      expect(median.memoryMegabytes).toBeGreaterThan(0);
    }
  }
  for (const { ours, next } of Object.values(table)) {
    for (const ratio of [ours.ofTheLimit, ours.ofNext, next.ofTheLimit]) {
      expect(ratio).toBeGreaterThan(0);
      expect(ratio).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  }
  const report = inWords({ mode: "compare", table });
  for (const name of MEASURED) expect(report).toContain(titles[name]);
});

test("the bench says what the server holds after each step", async () => {
  const clients = startClients(1);
  closings.add(clients.close);
  const size = { requests: 24, connections: 2, steps: 2, looksAStep: 1, idleMs: 10 };
  const steps = await memorySteps({ bank, clients, size, say: () => undefined });
  expect(steps.map(({ requests }) => requests)).toEqual([12, 24]);
  for (const { megabytes, mostMegabytes } of steps) {
    expect(megabytes).toBeGreaterThan(0);
    expect(mostMegabytes).toBeGreaterThanOrEqual(megabytes);
  }
});

test("the bench: a bank that has grown answers as before", async () => {
  await grow(bank.database, { entries: 300, consents: 20, tokens: 20 });
  const product = { ...bank.tapped, target: bank.target(bank.tapped.port), seal: bank.seal };
  for (const { calls } of bank.scenarios) {
    for (const call of await calls()) {
      const statuses = (await record(product, call)).map(({ answer }) => answer.status);
      expect(new Set(statuses).size).toBe(1);
      expect(statuses[0]).toBeLessThan(300);
    }
  }
});

/** How long a request took shows in them. */
function withoutInstants({ slots, ...plan }: Plan) {
  return { ...plan, slots: slots.map(({ kind }) => kind) };
}
