import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { granted, type Permission, type Reply } from "@/clients/typescript/src";
import { type OperationName, operations } from "@/lib/core-bank/http/contract";
import { traceReceiver } from "@/lib/server/testing/trace-receiver";
import { bankDay, consentRequest } from "./harness/consent-request";
import { type RunningCoreBank, startCoreBank } from "./harness/core-bank";
import { authoriseFunds, fundsQuestion, fundsRequest } from "./harness/funds";
import { paymentRequest } from "./harness/payment-request";
import { psuAt } from "./harness/psu";
import { psuByForms } from "./harness/psu-by-forms";
import { UNKNOWN_ID } from "./harness/requests";
import { freshSettings, type ServerSettings, startServer } from "./harness/server";
import { steadyPort } from "./harness/steady-port";
import { expect, test } from "./harness/test";
import { type TestTpp, testTpp } from "./harness/test-tpp";

test.setTimeout(300_000);
test.describe.configure({ mode: "serial" });

let folder: string;
let port: number;
let core: RunningCoreBank;
let counting: Awaited<ReturnType<typeof countingCalls>>;
let traces: Awaited<ReturnType<typeof traceReceiver>>;
let settings: ServerSettings;
let stop = async () => {};
let tpp: TestTpp;

/** What ana has authorised, and one of her accounts. */
let permission: Permission;
let resourceId: string;

const coreFolder = () => join(folder, "core");

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = await mkdtemp(join(tmpdir(), "drawbridge-core-"));
  port = await steadyPort();
  core = await startCoreBank(coreFolder(), port);
  counting = await countingCalls(core);
  traces = await traceReceiver();
  const shared = {
    CORE_BANK_URL: counting.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    ...{ OTEL_TRACES_SAMPLER: "always_on", OTEL_BSP_SCHEDULE_DELAY: "200" },
  };
  settings = { ...(await freshSettings(join(folder, "bank"))), shared };
  ({ stop } = await startServer(settings));
  tpp = await testTpp({ bank: settings });
  const psu = psuByForms(settings.webUrl);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree("ana", tpp.name);
  const { accessToken } = await tpp.collect(asked);
  permission = { consentId: asked.consentId, accessToken };
  resourceId = granted(await tpp.bank.accounts(permission)).accounts[0]?.resourceId ?? "none";
});

test.afterAll(async () => {
  await tpp?.close();
  await stop();
  await counting?.close();
  traces?.close();
  await core?.stop();
  await rm(folder, { recursive: true, force: true });
});

const unavailable = {
  status: 503,
  headers: { "retry-after": "2" },
  body: { tppMessages: [{ category: "ERROR", code: "SERVICE_UNAVAILABLE" }] },
};

type Kind = readonly [
  request: string,
  send: () => Promise<Reply<unknown>>,
  calls: readonly OperationName[],
  /** Why the contract makes more than one call necessary. */
  because?: string,
];

test("a TPP's request makes one call of the core bank at most, unless the contract makes two necessary", async () => {
  const [own, id, dateFrom] = [permission, resourceId, bankDay(-30)];
  const funds = await authoriseFunds({ tpp, psu: psuByForms(settings.webUrl) });
  const listed = await tpp.bank.transactions(own, id, { bookingStatus: "booked", dateFrom });
  const entry = granted(listed).transactions.booked?.[0]?.transactionId ?? "none";
  const payment = await tpp.askToPay();
  const list = (bookingStatus: "booked" | "information" | "all") => () =>
    tpp.bank.transactions(own, id, { bookingStatus, dateFrom });

  const kinds: readonly Kind[] = [
    ["GET accounts", () => tpp.bank.accounts(own), ["lookupAccounts"]],
    ["GET accounts with balances", () => tpp.bank.accounts(own, true), ["lookupBalances"]],
    ["GET account", () => tpp.bank.account(own, id), ["lookupAccounts"]],
    ["GET account with balances", () => tpp.bank.account(own, id, true), ["lookupBalances"]],
    ["GET balances", () => tpp.bank.balances(own, id), ["lookupBalances"]],
    ["GET transactions", list("booked"), ["listTransactions"]],
    ["GET standing orders", list("information"), ["listStandingOrders"]],
    [
      "GET transactions and standing orders",
      list("all"),
      ["listStandingOrders", "listTransactions"],
      "entries have pages and standing orders have none, so each has an operation; they are called side by side",
    ],
    ["GET a transaction", () => tpp.bank.transaction(own, id, entry), ["getTransaction"]],
    [
      "GET an unknown transaction",
      () => tpp.bank.transaction(own, id, UNKNOWN_ID),
      ["getTransaction", "lookupAccounts"],
      "a problem says nothing of the account, and whether that is open decides the answer",
    ],
    [
      "POST funds-confirmations",
      () => tpp.bank.confirmFunds(funds, fundsQuestion()),
      ["checkFunds"],
    ],
    ["POST consents", () => tpp.bank.createConsent(consentRequest(), tpp), []],
    ["POST funds consents", () => tpp.bank.createFundsConsent(fundsRequest(), tpp), []],
    ["GET consent", () => tpp.bank.consent(own.consentId), []],
    [
      "POST payments",
      () => tpp.bank.createPayment("sepa-credit-transfers", paymentRequest(), tpp),
      [],
    ],
    ["GET payment", () => tpp.bank.payment(payment), []],
    ["GET payment status", () => tpp.bank.paymentStatus(payment), []],
  ];
  for (const [request, send, calls, because] of kinds) {
    const { headers } = await send();
    expect(counting.of(headers["x-request-id"]), request).toEqual(calls);
    expect(calls.length > 1, request).toBe(because !== undefined);
  }
});

test("a TPP's request and a PSU's page are a trace each, with their statements and their call of the core bank", async () => {
  const { headers } = await tpp.bank.accounts(permission);
  const [traceId] = counting.tracesOf(headers["x-request-id"]);
  const ofRequest = () => traces.spans.filter((span) => span.traceId === traceId);
  const names = () => ofRequest().map(({ name, service }) => `${service}: ${name}`);
  await expect
    .poll(names)
    .toEqual(
      expect.arrayContaining([
        "drawbridge-tpp: GET /open-banking/v3.1/aisp/v1/accounts",
        "drawbridge-tpp: core bank lookupAccounts",
        "drawbridge-tpp: database statement",
      ]),
    );
  // Of ana's way to the consent in beforeAll, whose accounts the page has listed.
  const lists = () =>
    traces.spans.filter(
      ({ name, service }) => service === "drawbridge-web" && name === "core bank listAccounts",
    );
  await expect.poll(() => lists().length).toBeGreaterThan(0);
  const [page] = lists();
  const around = traces.spans.filter((span) => span.traceId === page?.traceId);
  expect(around.map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(GET|POST) pages$/), "database statement"]),
  );
  const known = [permission.consentId, permission.accessToken, resourceId];
  for (const text of known) expect(JSON.stringify(traces.spans)).not.toContain(text);
});

test("with the core bank gone reads are 503 with Retry-After, consents are ended, and a payment waits for its return and is executed once", async ({
  page,
}) => {
  const psu = psuAt(page, settings.webUrl);
  const other = await tpp.ask();
  const dateFrom = bankDay(-30);
  const reads = () => [
    tpp.bank.accounts(permission),
    tpp.bank.balances(permission, resourceId),
    tpp.bank.transactions(permission, resourceId, { bookingStatus: "both", dateFrom }),
  ];
  expect((await Promise.all(reads())).map(({ status }) => status)).toEqual([200, 200, 200]);

  const payment = await tpp.askToPay();
  await psu.open(payment.request.url);
  await psu.signInToCode("ana");
  const code = await psu.codeFor("ana", tpp.name);

  const ready = () => fetch(`${settings.webUrl}/health/ready`).then((answer) => answer.text());
  await expect.poll(ready).toBe("ready\n");
  await core.stop();
  await expect.poll(ready).toBe("ready, core bank unreachable\n");
  for (const read of reads()) expect(await read).toMatchObject(unavailable);
  expect((await tpp.bank.deleteConsent(other.consentId)).status).toBe(204);
  expect(granted(await tpp.bank.consentStatus(permission.consentId)).consentStatus).toBe("valid");
  await psu.confirm(code);
  await expect(page).toHaveTitle(/We cannot answer at the moment/);
  expect(granted(await tpp.bank.paymentStatus(payment)).transactionStatus).toBe("RCVD");

  core = await startCoreBank(coreFolder(), port);
  await expect.poll(async () => (await tpp.bank.accounts(permission)).status).toBe(200);
  await page.getByRole("link", { name: "Try again" }).click();
  await psu.confirm(code);
  await tpp.collect(payment);
  const status = async () => granted(await tpp.bank.paymentStatus(payment)).transactionStatus;
  await expect.poll(status).toBe("ACSC");
});

/** In front of a core bank: the operations that were called for a TPP's request, by its X-Request-ID. */
async function countingCalls({ settings }: RunningCoreBank) {
  const { CORE_BANK_URL = "", CORE_BANK_TLS_CERT = "", CORE_BANK_TLS_CA = "" } = settings;
  const [pair, ca] = [CORE_BANK_TLS_CERT, CORE_BANK_TLS_CA].map((file) => readFileSync(file));
  const behind = new Pool(CORE_BANK_URL, { connect: { cert: pair, key: pair, ca } });
  const called: { readonly requestId: unknown; readonly name: string; readonly trace: string }[] =
    [];
  const listening = createServer(async (request, response) => {
    const { method = "GET", url: path = "/", headers } = request;
    const trace = String(headers["traceparent"]).slice(3, 35);
    called.push({ requestId: headers["x-request-id"], name: operationAt(method, path), trace });
    const { connection: _connection, "transfer-encoding": _encoding, ...sent } = headers;
    const body = method === "GET" ? null : request;
    const asked = behind.request({ method: method as "GET", path, headers: sent, body });
    const answer = await asked.catch(() => response.destroy());
    if (!("body" in answer)) return;
    response.writeHead(answer.statusCode, { "content-type": "application/json" });
    response.end(await answer.body.text());
  });
  const port = await steadyPort();
  await new Promise<void>((resolve) => listening.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    of: (requestId: string | undefined) =>
      called.flatMap((one) => (one.requestId === requestId ? [one.name] : [])).sort(),
    tracesOf: (requestId: string | undefined) =>
      called.flatMap((one) => (one.requestId === requestId ? [one.trace] : [])),
    close: async () => {
      listening.closeAllConnections();
      listening.close();
      await behind.close();
    },
  };
}

function operationAt(method: string, target: string): string {
  const { pathname } = new URL(target, "http://core");
  const found = Object.entries(operations).find(([, operation]) => {
    const pattern = operation.path.replace(/\{\w+\}/g, "[^/]+");
    return operation.method === method && new RegExp(`^${pattern}$`).test(pathname);
  });
  return found?.[0] ?? `${method} ${pathname}`;
}
