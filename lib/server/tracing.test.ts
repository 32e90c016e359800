import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { coreBankClient } from "@/lib/core-bank/http/client";
import { guardedClient } from "@/lib/postgres/guarded-client";
import { fileDatabase } from "@/lib/postgres/testing";
import { traceReceiver } from "./testing/trace-receiver";
import { startTracing } from "./tracing";

const { url: databaseUrl } = await fileDatabase();

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A host that asks the database and the core bank, and what the core bank was sent. */
async function hosted(traced: Awaited<ReturnType<typeof startTracing>>["traced"]) {
  const sent: (string | undefined)[] = [];
  const core = await listening(
    createServer(({ headers }, response) => {
      sent.push(headers["traceparent"] as string);
      response.end('{"accounts":[]}');
    }),
  );
  const { run, close } = guardedClient(databaseUrl, { max: 1 });
  const client = coreBankClient({
    ...{ url: core, tls: () => ({}), connections: 1, callsMax: 1, onFault: () => undefined },
  });
  onTestFinished(() => Promise.all([close(), client.close()]).then(() => undefined));
  const handle = traced(async (_, response) => {
    await run((sql) => sql`select ${"RO49AAAA1B31007593840000"}::text`);
    await client.call("listAccounts", { path: { customerId: "customer-1" } });
    response.end();
  });
  return { url: await listening(createServer(handle)), sent };
}

it("a TPP's request, its statement and its call of the core bank are one trace, in which the caller's own is linked and no one named", async () => {
  const receiver = await traceReceiver();
  onTestFinished(receiver.close);
  process.env["OTEL_TRACES_SAMPLER"] = "always_on";
  onTestFinished(() => {
    delete process.env["OTEL_TRACES_SAMPLER"];
  });
  const { traced, finish } = await startTracing(`${receiver.url}/`, "drawbridge-tpp");
  const { url, sent } = await hosted(traced);
  const [traceId, spanId] = ["a".repeat(32), "b".repeat(16)];
  const path = "/open-banking/v3.1/aisp/v1/accounts/3dc3d5b3-7023-4848-9853-f5400a64e80f?iban=RO49";
  await fetch(url + path, { headers: { traceparent: `00-${traceId}-${spanId}-01` } });
  await fetch(`${url}/token`, { headers: { traceparent: `00-${"0".repeat(32)}-${spanId}-01` } });
  await finish();

  const named = (name: string) => receiver.spans.filter((span) => span.name === name);
  const [[request, token], statements, calls] = [
    [...named("GET aisp"), ...named("GET oauth")],
    named("database statement"),
    named("core bank listAccounts"),
  ];
  expect(receiver.spans).toHaveLength(6);
  expect(request).toMatchObject({ service: "drawbridge-tpp", links: [{ traceId, spanId }] });
  expect(request?.parentSpanId).toBeUndefined();
  expect(request?.traceId).not.toBe(traceId);
  expect(token?.links ?? []).toEqual([]);
  for (const [nth, one] of [request, token].entries()) {
    const below = { traceId: one?.traceId, parentSpanId: one?.spanId };
    expect([statements[nth], calls[nth]]).toMatchObject([below, below]);
    expect(sent[nth]).toBe(`00-${one?.traceId}-${calls[nth]?.spanId}-01`);
  }
  expect(JSON.stringify(receiver.spans)).not.toMatch(/RO49|3dc3d5b3|customer-1/);
});

it("one request in twenty is traced unless the sampler is set, and the core bank is told which", async () => {
  const receiver = await traceReceiver();
  onTestFinished(receiver.close);
  const { traced, finish } = await startTracing(receiver.url, "drawbridge-web");
  const { url, sent } = await hosted(traced);
  for (let nth = 0; nth < 100; nth += 1) await fetch(url);
  await finish();
  const requests = receiver.spans.filter(({ name }) => name === "GET other");
  expect(requests.length).toBeLessThan(40);
  const sampled = sent.filter((header) => header?.endsWith("-01"));
  expect(sampled.map((header) => header?.slice(3, 35)).sort()).toEqual(
    requests.map(({ traceId }) => traceId).sort(),
  );
});
