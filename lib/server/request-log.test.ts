import { once } from "node:events";
import { request as send } from "node:http";
import { expect, it, vi } from "vitest";
import { log } from "@/lib/log";
import { brokenTppRequest } from "./client-errors";
import { loggingRequests } from "./request-log";
import { echo, openHost } from "./testing/host";
import { openTppHost } from "./testing/tpp-host";
import { type Handler, tppHost } from "./tpp-host";

const ACCOUNT = "3dc3d5b3-7023-4848-9853-f5400a64e80f";
const REQUEST_ID = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

async function openLogging(handle: Handler) {
  const lines: unknown[][] = [];
  vi.spyOn(log, "info").mockImplementation((...line: unknown[]) => void lines.push(line));
  const host = loggingRequests(tppHost(handle, () => undefined));
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

it("who went away before the answer was there got no status", async () => {
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

it("a host that is not told to writes no line for a request", async () => {
  const info = vi.spyOn(log, "info");
  info.mockClear();
  const { port } = await openTppHost(echo);
  await (await fetch(`http://127.0.0.1:${port}/token`, { method: "POST" })).arrayBuffer();
  expect(info).not.toHaveBeenCalled();
});
