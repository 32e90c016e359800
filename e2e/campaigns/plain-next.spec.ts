import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AISP, CBPII, granted, type Headers, PISP, signed } from "@/clients/typescript/src";
import { contentSecurityPolicy, securityHeaders } from "@/lib/server/security-headers";
import { consentRequest } from "../harness/consent-request";
import { type Comparison, comparison, withoutIds } from "../harness/listener-and-next";
import { ownDatabase } from "../harness/own-database";
import { paymentRequest } from "../harness/payment-request";
import { spawnPlainNext, startPlainNext } from "../harness/plain-next";
import { psuByForms } from "../harness/psu-by-forms";
import { endpoints, paymentEndpoints, UNKNOWN_ID } from "../harness/requests";
import { freshSettings, type ServerSettings, startServer } from "../harness/server";
import { expect, test } from "../harness/test";
import { type Grant, type TestTpp, testTpp } from "../harness/test-tpp";

test.setTimeout(300_000);

type Case = {
  readonly method?: string;
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Headers;
  /** Signed once for each: what cannot be sent twice. */
  readonly signedTwice?: boolean;
  /** After it was signed. */
  readonly without?: readonly string[];
  readonly forged?: Headers;
};

const sepa = `${PISP}/payments/sepa-credit-transfers`;
const plain = { "content-type": "text/plain" };
const problem = { accept: "application/problem+json" };

/** What is refused, or needs no token. */
const cases: readonly Case[] = [
  ...endpoints().map(({ method, path }) => ({ method, target: path })),
  ...paymentEndpoints().map(({ method, path }) => ({ method, target: path })),
  ...["PUT", "PATCH", "HEAD", "OPTIONS"].map((method) => ({ method, target: `${AISP}/accounts` })),
  ...["/accounts/", "/%61ccounts", "/accounts?withBalance=%20b|c", "/accounts/a%20b/balances"].map(
    (path) => ({ target: `${AISP}${path}` }),
  ),
  { target: "/open-banking/unknown" },
  { target: `${AISP}/no/such/thing` },
  { target: `${PISP}/payments/no-such-product` },
  { target: `${PISP}/signing-baskets` },
  { method: "POST", target: `${PISP}/signing-baskets/${UNKNOWN_ID}/authorisations` },
  { method: "POST", target: `${CBPII}/v1/funds-confirmations`, body: {} },
  { target: `${AISP}/accounts`, without: ["signature"] },
  { target: `${AISP}/accounts`, without: ["signature"], headers: problem },
  { target: `${AISP}/accounts`, without: ["x-request-id"] },
  { target: `${AISP}/accounts`, headers: { authorization: "Bearer none", "consent-id": "none" } },
  { target: `${AISP}/accounts`, forged: { "tpp-signature-certificate": "none" } },
  { method: "POST", target: `${AISP}/consents`, body: { a: "ț" }, headers: plain },
  { method: "POST", target: `${AISP}/consents`, body: { a: "x".repeat(70_000) } },
  { method: "POST", target: `${AISP}/consents`, body: {}, forged: { digest: "SHA-256=AAAA" } },
  { method: "DELETE", target: `${AISP}/consents/${UNKNOWN_ID}`, body: { a: 1 } },
  { target: "/jwks" },
  { method: "HEAD", target: "/jwks" },
  { target: "/.well-known/oauth-authorization-server" },
  { target: "/openapi.json" },
  { method: "HEAD", target: "/openapi.json" },
  { method: "POST", target: "/token" },
  { method: "POST", target: "/token/revocation" },
];

test("C1: the listener answers as Next alone does in a marked process, which serves nothing in any other", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-next-"));
  const database = await ownDatabase(join(folder, "database"));
  const bank = {
    ...(await freshSettings(join(folder, "bank"))),
    shared: { DATABASE_URL: database.url },
  };
  const server = await startServer(bank);
  const next = await startPlainNext(bank, database.url);
  const tpp = await testTpp({ bank });
  const comparisons = [comparison(tpp, next.url), comparison(tpp, next.url, false)] as const;
  try {
    for (const comparison of comparisons)
      for (const one of cases) await expectAlike(comparison, tpp, one);
    await expectPageHeaders(next.url);
    await expectRefused(bank, database.url);

    const asked = await tpp.ask();
    const psu = psuByForms(bank.webUrl);
    await psu.open(asked.request.url);
    await psu.agree("ana", tpp.name);
    const token = await tpp.collect(asked);
    const { consentId } = asked;
    const grant = { consentId, accessToken: token.accessToken, asked, token };
    for (const one of await contents(tpp, grant)) {
      expect(await expectAlike(comparisons[0], tpp, one), one.target).toBeLessThan(300);
    }
  } finally {
    await Promise.all([...comparisons, tpp].map((used) => used.close()));
    await Promise.all([next.stop(), server.stop()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Of each one value: `fetch` would join two. */
async function expectPageHeaders(url: string): Promise<void> {
  const expected = securityHeaders(contentSecurityPolicy, false);
  for (const path of ["/", "/sign-in", "/docs", "/no-such-page"]) {
    const { headers } = await fetch(`${url}${path}`);
    const own = Object.keys(expected).map((name) => [name, headers.get(name)]);
    expect(Object.fromEntries(own), path).toEqual(expected);
  }
}

/** C1: no process but that of our own start believes a header, or serves a page. */
async function expectRefused(bank: ServerSettings, databaseUrl: string): Promise<void> {
  const { child, url } = await spawnPlainNext(bank, databaseUrl);
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const ended = once(child, "close");
  const headers = { "client-cert": ":AAAA:" };
  const answers: string[] = [];
  while (child.exitCode === null && answers.length === 0) {
    for (const path of [`${AISP}/accounts`, "/token", "/jwks", "/auth", "/sign-in", "/docs"]) {
      const answer = await fetch(`${url}${path}`, { headers }).catch(() => undefined);
      if (answer !== undefined) answers.push(`${path}: ${answer.status}`);
    }
    await sleep(20);
  }
  // It goes on by itself where it has answered, which it must not.
  if (answers.length > 0) child.kill();
  expect(await ended, answers.join(", ")).toEqual([1, null]);
  expect(answers).toEqual([]);
  const line = "Drawbridge serves nothing without its own listeners: start it with npm start";
  expect(Buffer.concat(said).toString()).toBe(`${line}\n`);
}

/** What is answered with content. A payment that is asked for again is the same payment. */
async function contents(tpp: TestTpp, grant: Grant): Promise<readonly Case[]> {
  const [first] = granted(await tpp.bank.accounts(grant, true)).accounts;
  const headers = {
    "psu-ip-address": "198.51.100.7",
    "consent-id": grant.consentId,
    authorization: `Bearer ${grant.accessToken}`,
  };
  const asking = { "psu-ip-address": "198.51.100.7", "tpp-redirect-uri": tpp.redirectUri };
  const account = `${AISP}/accounts/${first?.resourceId}`;
  const report = `${account}/transactions?bookingStatus=booked&dateFrom=2026-01-01`;
  const reads = [`${AISP}/accounts?withBalance=true`, account, `${account}/balances`, report];
  return [
    ...reads.map((target) => ({ target, headers })),
    ...["", "/status", "/authorisations"].map((part) => ({
      target: `${AISP}/consents/${grant.consentId}${part}`,
    })),
    {
      method: "POST",
      target: `${AISP}/consents`,
      body: consentRequest(),
      headers: asking,
      signedTwice: true,
    },
    { method: "POST", target: sepa, body: paymentRequest(), headers: asking },
  ];
}

/** Yields the status of both. */
async function expectAlike(comparison: Comparison, tpp: TestTpp, one: Case): Promise<number> {
  const { method = "GET", target, signedTwice = false } = one;
  const request = requestOf(tpp, one);
  const requests = [request, signedTwice ? requestOf(tpp, one) : request] as const;
  const [ours, nexts] = (await comparison.ask(requests, target)).map(withoutIds);
  expect(ours, `${method} ${target}`).toEqual(nexts);
  return ours?.status ?? 0;
}

function requestOf(tpp: TestTpp, one: Case) {
  const { method = "GET", body, headers = {}, without = [], forged = {} } = one;
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const all = signed(tpp.seal, bytes ?? new Uint8Array(), {
    accept: "application/json",
    "x-fapi-interaction-id": UNKNOWN_ID,
    ...type,
    ...headers,
  });
  const left = Object.entries({ ...all, ...forged }).filter(([name]) => !without.includes(name));
  return { method, headers: Object.fromEntries(left), ...(bytes && { body: bytes }) };
}
