import { once } from "node:events";
import { request as send } from "node:http";
import { expect, it, vi } from "vitest";
import type { MinuteCount } from "@/lib/domain/interface-figures";
import { log, requestLog } from "@/lib/log";
import { testDatabase, waitingForLocks } from "@/lib/postgres/testing";
import { dispatcher } from "./dispatch";
import { brokenTppRequest } from "./fault-answer";
import { requestCounts, startRequestCounts } from "./request-counts";
import { logRequest, logsRequests, observingRequests } from "./requests-seen";
import { echo, openHost } from "./testing";
import { type Handler, tppHost } from "./tpp-host";

const ACCOUNT = "3dc3d5b3-7023-4848-9853-f5400a64e80f";
const REQUEST_ID = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

async function openLogging(handle: Handler) {
  const lines: unknown[][] = [];
  vi.spyOn(requestLog, "info").mockImplementation((...line: unknown[]) => void lines.push(line));
  const host = observingRequests(
    tppHost(handle, () => undefined),
    [logRequest],
  );
  return { port: await openHost({ handle: host, broken: brokenTppRequest }), lines };
}

const tookMs = expect.any(Number);

it("X7: a request in the log is a service, a method, a status and a time, and nothing of whom it is about", async () => {
  const { port, lines } = await openLogging(async (request, response) => {
    response.setHeader("x-request-id", REQUEST_ID);
    response.statusCode = 201;
    await echo(request, response);
  });
  const path = `/open-banking/v3.1/aisp/v1/accounts/${ACCOUNT}/balances?iban=RO49AAAA1B31007593840000`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  await answer.arrayBuffer();
  await expect.poll(() => lines).toHaveLength(1);
  const line = { service: "aisp", method: "GET", status: 201, tookMs, requestId: REQUEST_ID };
  expect(lines).toEqual([[line, "request"]]);
});

it.each([
  ["/open-banking/v3.1/pisp/v1/payments/sepa-credit-transfers", "pisp"],
  ["/open-banking/v3.1/cbpii/v1/funds-confirmations", "cbpii"],
  ["/open-banking/v3.1/cards/v1/accounts", undefined],
  ["/token", undefined],
])("%s is asked for in the capacity %s", async (path, service) => {
  const { port, lines } = await openLogging(echo);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST" });
  await answer.arrayBuffer();
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]?.[0]).toEqual({ service, method: "POST", status: 200, tookMs });
});

it("a TPP that disconnects before the answer gets no status", async () => {
  const { port, lines } = await openLogging(async () => undefined);
  const path = "/open-banking/v3.1/aisp/v1/accounts";
  const waiting = send({ port, path }).end();
  waiting.on("error", () => undefined);
  const [socket] = await once(waiting, "socket");
  await once(socket, "connect");
  setTimeout(() => waiting.destroy(), 50);
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]?.[0]).toEqual({ service: "aisp", method: "GET", tookMs });
});

it("a fault of the bank's is one, too, when it ends an answer that has begun", async () => {
  vi.spyOn(log, "error").mockImplementation(() => undefined);
  const { port, lines } = await openLogging(async (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 10 });
    response.write("{");
    throw new Error("in the middle");
  });
  const url = `http://127.0.0.1:${port}/open-banking/v3.1/aisp/v1/accounts`;
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]?.[0]).toEqual({ service: "aisp", method: "GET", status: 500, tookMs });
});

it("a refusal of the host itself has the X-Request-ID that the TPP got", async () => {
  const { port, lines } = await openLogging(echo);
  const answer = await fetch(`http://127.0.0.1:${port}/token`, { headers: { under_score: "1" } });
  await answer.arrayBuffer();
  await expect.poll(() => lines).toHaveLength(1);
  const requestId = answer.headers.get("x-request-id");
  expect(lines[0]?.[0]).toEqual({ method: "GET", status: 400, tookMs, requestId });
});

it.each([
  [{ SANDBOX: true }, false],
  [{ SANDBOX: false }, true],
  [{ SANDBOX: true, REQUEST_LOG: true }, true],
  [{ SANDBOX: false, REQUEST_LOG: false }, false],
])("with %j requests are logged: %s", (settings, logged) => {
  expect(logsRequests({ REQUEST_LOG: undefined, ...settings })).toBe(logged);
});

const seen = (url: string, status: number | undefined, took = 10) => ({
  ...{ method: "GET", url, tookMs: took },
  ...(status !== undefined && { status }),
});

it("counts are of a minute, an area and an outcome, and of what a bank publishes alone", async () => {
  const counts = requestCounts(() => Date.UTC(2026, 10, 25, 12, 0, 0));
  const aisp = "/open-banking/v3.1/aisp/v1/accounts";
  counts.note(seen(aisp, 200, 5));
  counts.note(seen(aisp, 200, 7));
  counts.note(seen(aisp, 401));
  counts.note(seen(aisp, 503));
  counts.note(seen(aisp, undefined, 6_000));
  counts.note(seen(aisp, undefined, 5_999));
  counts.note(seen("/token", 200));
  counts.note(seen("/auth?client_id=x", 303));
  counts.note(seen("/permissions", 200));
  for (const other of [
    "/docs",
    "/health/ready",
    "/sandbox/clock",
    "/tokens",
    "/_next/static/a.css",
  ])
    counts.note(seen(other, 200));
  const written: unknown[] = [];
  await counts.flush(async (all) => void written.push(...all));
  const before = new Date("2026-11-25T11:59:00Z");
  const one = (area: string, outcome: string, requests: number, tookMicroseconds: number) => ({
    ...{ minute: before, area, outcome, requests, tookMicroseconds },
  });
  expect(written).toEqual([
    one("aisp", "granted", 2, 12_000),
    one("aisp", "refused", 1, 10_000),
    one("aisp", "failed", 1, 10_000),
    one("aisp", "unanswered", 1, 6_000_000),
    one("oauth", "granted", 2, 20_000),
    one("pages", "granted", 1, 10_000),
  ]);
});

it("refusals are counted by the code that was sent, in either form, and failures and texts that look like one are not", async () => {
  const text = 'not a "code":"FORMAT_ERROR"';
  const answers: readonly (readonly [number, unknown])[] = [
    [
      401,
      {
        tppMessages: [
          { code: "CONSENT_EXPIRED", text },
          { code: "FORMAT_ERROR", text },
        ],
      },
    ],
    [401, { title: "CONSENT_EXPIRED", status: 401, detail: text, code: "CONSENT_EXPIRED" }],
    [400, { tppMessages: [{ code: "MADE_UP", text }] }],
    [503, { tppMessages: [{ code: "SERVICE_UNAVAILABLE", text }] }],
    [200, { code: "FORMAT_ERROR" }],
  ];
  const counts = requestCounts(() => Date.UTC(2026, 10, 25, 12, 0, 30));
  let nth = 0;
  const answer = async () => {
    const [status = 500, value] = answers[nth++] ?? [];
    return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
  };
  const folder = "open-banking/v3.1/aisp/v1/accounts";
  const handle = dispatcher({ [`(xs2a)/${folder}`]: { GET: { answer } } }, "http://127.0.0.1");
  const host = tppHost(handle, () => undefined);
  const port = await openHost({
    handle: observingRequests(host, [counts.note]),
    broken: brokenTppRequest,
  });
  const ask = async (headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(`http://127.0.0.1:${port}/${folder}`, { headers })).arrayBuffer();
  for (const _ of answers) await ask();
  await ask({ under_score: "1" });
  const written: MinuteCount[] = [];
  await expect
    .poll(async () => {
      await counts.flush(async (all) => void written.push(...all));
      return written.reduce((sum, { requests }) => sum + requests, 0);
    })
    .toBe(answers.length + 1);
  const codes = written.flatMap((one) => Object.entries(one.codes ?? {}));
  const sums = new Map<string, number>();
  for (const [code, times] of codes) sums.set(code, times + (sums.get(code) ?? 0));
  expect([...sums]).toEqual([
    ["CONSENT_EXPIRED", 2],
    ["FORMAT_ERROR", 1],
  ]);
});

it("counts that could not be written are written with the next ones", async () => {
  const counts = requestCounts(() => Date.UTC(2026, 10, 25, 12, 0, 30));
  const failing = () => Promise.reject(new Error("no database"));
  counts.note(seen("/token", 200));
  await expect(counts.flush(failing)).rejects.toThrow("no database");
  counts.note(seen("/token", 200));
  const written: unknown[] = [];
  await counts.flush(async (all) => void written.push(...all));
  await counts.flush(async (all) => void written.push(...all));
  expect(written).toMatchObject([{ requests: 2, tookMicroseconds: 20_000 }]);
});

it("counts whose writing was not answered are not written again: they may be there in the end", async () => {
  const database = await testDatabase();
  const errors = vi.spyOn(log, "error").mockImplementation(() => undefined);
  errors.mockClear();
  const counts = requestCounts();
  counts.note(seen("/token", 200));
  const { finish } = await database.sql.begin(async (tx) => {
    await tx`lock table request_minute`;
    const server = startRequestCounts(counts, database.url);
    await vi.waitFor(() => expect(errors).toHaveBeenCalled(), 60_000);
    await waitingForLocks(database, 1);
    return server;
  });
  await finish();
  await vi.waitFor(async () => {
    const [written] = await database.sql`select sum(requests)::int as requests from request_minute`;
    expect(written).toEqual({ requests: 1 });
  }, 60_000);
  expect(errors.mock.calls).toMatchObject([[{ requests: 1 }, expect.any(String)]]);
  await database.close();
});
