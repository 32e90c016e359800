import { X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { isUnavailable } from "@/lib/domain/errors";
import type { PsuId } from "@/lib/domain/values";
import { coreBankMalformedAnswers } from "@/lib/metrics";
import { watchOutage } from "@/lib/outage";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { PRODUCTS, pay, paymentBody, paymentFaults } from "@/lib/xs2a/testing/requests";
import { clientCredentialsToken } from "./access-token";
import { type ClientSettings, type CoreBankFault, coreBankClient } from "./client";
import { operations, PROBLEM_PREFIX } from "./contract";

type Answer = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

/** A core bank that answers as told, and what it was sent. */
async function coreBank(answer: Answer, settings: Partial<ClientSettings> = {}) {
  const requests: IncomingMessage[] = [];
  const faults: CoreBankFault[] = [];
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response, requests.push(request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/core/`;
  const client = coreBankClient({
    ...{ url, tls: () => ({}), connections: 4, callsMax: 8 },
    onFault: (fault) => faults.push(fault),
    ...settings,
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, requests, faults, url, server };
}

const sends = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
const none = sends(200, { accounts: [] });
const problem = (type: string, status: number) => sends(status, { type: PROBLEM_PREFIX + type });
const lookup = { body: { customerId: "C-1", ids: ["1"] } };
const eur = (minorUnits: bigint) => ({ currency: "EUR", minorUnits });
const submission = {
  path: { paymentId: crypto.randomUUID() },
  body: {
    customerId: "C-1",
    order: {
      product: "sepa-credit-transfers",
      amount: eur(1_250n),
      debtor: { iban: "RO95DRWB0000000000000101" },
      creditor: { name: "Shop", iban: "RO41DRWB0000000000000103" },
      chargeBearer: "SLEV",
      rejectWithoutFunds: false,
    },
    debit: { accountId: "A-1", amount: eur(1_250n), fee: eur(0n) },
    authorisedAt: new Date("2026-03-02T10:00:00Z"),
  },
};
const unavailable = expect.toSatisfy(isUnavailable);

it("a call carries its deadline, a trace and the X-Request-ID of the TPP's request, below the path of the URL", async () => {
  const { client, requests } = await coreBank((_, response) => none(response));
  const path = { customerId: "a/b c" };
  const called = await client.call("listAccounts", { path }, { requestId: "r-1" });
  expect(called).toEqual({ answer: { accounts: [] } });
  expect(requests[0]?.url).toBe("/core/customers/a%2Fb%20c/accounts");
  expect(requests[0]?.headers).toMatchObject({
    "x-request-id": "r-1",
    "request-timeout-ms": expect.stringMatching(/^(1\d{3}|2000)$/),
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  });
});

it.each([
  ["unknown-account", 404],
  ["customer-blocked", 403],
])("a problem that the operation names is an answer: %s", async (type, status) => {
  const { client, faults } = await coreBank((_, response) => problem(type, status)(response));
  const path = { accountId: "1" };
  expect(await client.call("listStandingOrders", { path })).toEqual({ problem: type });
  expect([faults, client.isReachable()]).toEqual([[], true]);
});

it.each([
  ["is no JSON", sends(200, "<html>")],
  ["is half an answer", sends(200, '{"accounts":[')],
  ["lacks a member", sends(200, {})],
  ["has a member too many", sends(200, { accounts: [], more: 1 })],
  ["is a problem that the operation does not have", problem("unknown-payment", 404)],
  ["is a problem with another status", problem("unknown-account", 409)],
  ["is an error without a problem", sends(404, "not found")],
  ["redirects", sends(302, "")],
])(
  "an answer that %s is unavailable, an incident in the log, and not sent again",
  async (_what, answer) => {
    const { client, requests, faults } = await coreBank((_, response) => answer(response));
    await expect(client.call("lookupAccounts", lookup)).rejects.toThrow(unavailable as never);
    expect(requests).toHaveLength(1);
    expect(faults).toMatchObject([{ operation: "lookupAccounts", kind: "malformed-answer" }]);
  },
);

it("answers that break the contract are counted by operation from 0, by their form or by what they say", async () => {
  const counted = async () => {
    const { values } = await coreBankMalformedAnswers.get();
    return new Map(values.map(({ labels, value }) => [labels.operation, value]));
  };
  coreBankMalformedAnswers.reset();
  const { client } = await coreBank((_, response) => sends(200, {})(response));
  const zeros = new Map(Object.keys(operations).map((name) => [name, 0]));
  expect(await counted()).toEqual(zeros);
  await expect(client.call("lookupAccounts", lookup)).rejects.toSatisfy(isUnavailable);
  client.malformed("lookupAccounts", "an account twice");
  client.malformed("listChanges", "another payment");
  expect(await counted()).toEqual(zeros.set("lookupAccounts", 2).set("listChanges", 1));
});

it("an operation that is safe is sent once more after an outage, a submission is not", async () => {
  const { client, requests, faults } = await coreBank((_, response, nth) =>
    nth === 1 ? problem("unavailable", 503)(response) : none(response),
  );
  expect(await client.call("lookupAccounts", lookup)).toEqual({ answer: { accounts: [] } });
  expect(requests).toHaveLength(2);
  const other = await coreBank((_, response) => response.destroy());
  await expect(other.client.call("submitPayment", submission)).rejects.toSatisfy(isUnavailable);
  expect(other.requests).toHaveLength(1);
  expect(other.faults).toMatchObject([{ operation: "submitPayment", kind: "outage" }]);
  expect(faults).toEqual([]);
});

it("an outage is the request's, but not of a payment, which waits in the outbox while its PSU goes on", async () => {
  const { client } = await coreBank((_, response) => sends(500, "")(response));
  const noted = async (name: "lookupAccounts" | "getPayment" | "submitPayment", call: object) => {
    const outage = { seen: false };
    await watchOutage(outage, () => client.call(name, call).catch(() => undefined));
    return outage.seen;
  };
  expect(await noted("getPayment", { path: submission.path })).toBe(false);
  expect(await noted("submitPayment", submission)).toBe(false);
  expect(await noted("lookupAccounts", lookup)).toBe(true);
});

it("more calls than may be under way are refused at once, and none of them waits", async () => {
  const { client } = await coreBank(() => undefined, { callsMax: 2 });
  const hanging = [1, 2].map(() => client.call("getPayment", { path: { paymentId: "1" } }));
  await expect(client.call("lookupAccounts", lookup)).rejects.toThrow("too many calls");
  const ended = await Promise.allSettled(hanging);
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

it("after several outages calls are refused without an attempt, and let through again once one succeeds", async () => {
  let isAway = true;
  const { client, requests } = await coreBank((_, response) =>
    isAway ? response.destroy() : none(response),
  );
  const attempt = () => client.call("lookupAccounts", lookup);
  await vi.waitUntil(
    async () => {
      await attempt().catch(() => undefined);
      return !client.isReachable();
    },
    { timeout: 30_000 },
  );
  const before = requests.length;
  await expect(attempt()).rejects.toSatisfy(isUnavailable);
  expect(requests).toHaveLength(before);
  isAway = false;
  await vi.waitFor(attempt, { timeout: 10_000 });
  expect(client.isReachable()).toBe(true);
});

it("what cannot be sent is no outage: no call of it leaves, and the others go on", async () => {
  const { client, requests, faults } = await coreBank((_, response) => none(response));
  for (let nth = 0; nth < 10; nth += 1) {
    const tried = client.call("lookupAccounts", { body: { ids: [""] } });
    await expect(tried).rejects.not.toSatisfy(isUnavailable);
  }
  expect([requests, faults, client.isReachable()]).toEqual([[], [], true]);
  expect(await client.call("lookupAccounts", lookup)).toEqual({ answer: { accounts: [] } });
});

it("every order that a TPP may send can be handed on, in characters of any script", () => {
  const text = (maxLength: number) => fc.string({ unit: "grapheme", minLength: 1, maxLength });
  const some = (max: number) =>
    fc.option(fc.oneof(text(max), fc.constant("\u{1D538}".repeat(max))), { nil: undefined });
  const given = fc.record({
    product: fc.constantFrom(...PRODUCTS),
    creditorName: some(70).map((name) => name ?? "Shop"),
    streetName: some(70),
    buildingNumber: some(70),
    townName: some(70),
    postCode: some(35),
    endToEndIdentification: some(35),
    remittanceInformationUnstructured: some(140),
  });
  const asSent = (value: object) => JSON.parse(JSON.stringify(value));
  fc.assert(
    fc.property(given, ({ product, streetName, buildingNumber, townName, postCode, ...rest }) => {
      const address = { country: "DE", streetName, buildingNumber, townName, postCode };
      const more = asSent({ ...rest, creditorAddress: address });
      if (product === "cross-border-credit-transfers") delete more.endToEndIdentification;
      const body = paymentBody(product, more);
      fc.pre(paymentFaults(product, body).length === 0);
      const order = { ...pay(product, body).order, rejectWithoutFunds: false };
      const asked = { customerId: "C-1" as PsuId, order };
      expect(z.safeEncode(operations.quotePayment.body, asked).error).toBeUndefined();
    }),
  );
});

it("with client credentials one token serves all calls, and another is got when it is not accepted", async () => {
  let tokens = 0;
  const seen: (string | undefined)[] = [];
  const { server, url } = await coreBank(() => undefined);
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    request.resume();
    if (request.url === "/token") {
      tokens += 1;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ access_token: `t${tokens}`, token_type: "bearer", expires_in: 300 }),
      );
      return;
    }
    seen.push(request.headers.authorization);
    if (request.headers.authorization === "Bearer t1" && seen.length > 2) {
      problem("not-authorised", 401)(response);
    } else none(response);
  });
  const accessToken = clientCredentialsToken({
    ...{ tokenUrl: new URL("/token", url).href, clientId: "drawbridge", clientSecret: "secret" },
    insecure: true,
  });
  const settings = { url, tls: () => ({}), connections: 2, callsMax: 8, accessToken };
  const client = coreBankClient({ ...settings, onFault: () => undefined });
  onTestFinished(() => client.close());
  await Promise.all([client.call("lookupAccounts", lookup), client.call("lookupAccounts", lookup)]);
  expect(tokens).toBe(1);
  expect(await client.call("lookupAccounts", lookup)).toEqual({ answer: { accounts: [] } });
  expect(seen).toEqual(["Bearer t1", "Bearer t1", "Bearer t1", "Bearer t2"]);
});

it("a token is asked for in a time of its own, and each caller waits for it in the time of its call", async () => {
  const responses: ServerResponse[] = [];
  const { url } = await coreBank((_, response) => void responses.push(response));
  const tokenUrl = new URL("/token", url).href;
  const token = clientCredentialsToken({
    ...{ tokenUrl, clientId: "drawbridge", clientSecret: "secret", insecure: true },
  });
  const [impatient, patient] = [new AbortController(), new AbortController()];
  const first = token.current(impatient.signal);
  const second = token.current(patient.signal);
  await vi.waitUntil(() => responses.length > 0, { timeout: 30_000 });
  impatient.abort(new Error("its time is over"));
  await expect(first).rejects.toThrow("its time is over");
  for (const response of responses) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ access_token: "t1", token_type: "bearer" }));
  }
  expect(await second).toBe("t1");
  expect(responses).toHaveLength(1);
});

it("a new connection shows the client certificate that is there now, and an open one keeps its own", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-core-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const now = new Date();
  const authority = await makeCertificateAuthority(now);
  const certificate = (name: string) =>
    loadServerCertificate(authority, { file: join(folder, name), host: "localhost", now });
  const bank = await certificate("bank");
  const [former, next] = [await certificate("former"), await certificate("next")];
  const seen: (string | undefined)[] = [];
  const server = createTlsServer({ ...bank, requestCert: true, rejectUnauthorized: false });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    seen.push((socket as TLSSocket).getPeerX509Certificate()?.serialNumber);
    // The second one ends the connection.
    response.setHeader("connection", seen.length === 2 ? "close" : "keep-alive");
    none(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  let own = former;
  const client = coreBankClient({
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    tls: () => ({ ...own, ca: authority.certificatePem }),
    ...{ connections: 1, callsMax: 1, onFault: () => undefined },
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  for (let nth = 0; nth < 3; nth += 1) {
    await client.call("lookupAccounts", lookup);
    own = next;
  }
  expect(seen).toEqual(
    [former, former, next].map(({ cert }) => new X509Certificate(cert).serialNumber),
  );
});
