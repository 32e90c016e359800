import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { http } from "@/clients/typescript/src";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { demoCustomers } from "@/lib/sandbox/demo-bank-people";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { psuByForms } from "./harness/psu-by-forms";
import { freshSettings, startServer } from "./harness/server";
import { steadyPort } from "./harness/steady-port";
import { expect, test } from "./harness/test";
import { testTpp } from "./harness/test-tpp";

const secret = `whsec_${randomBytes(32).toString("base64")}`;

/** One of the bank's systems that is told what happens; it does not answer at first. */
async function receiver(folder: string) {
  const now = new Date();
  const authority = await makeCertificateAuthority(now);
  const own = { file: join(folder, "receiver.pem"), host: "localhost", now };
  const { cert, key } = await loadServerCertificate(authority, own);
  await writeFile(join(folder, "receiver-ca.pem"), authority.certificatePem);
  const told: { readonly type: string; readonly data: Readonly<Record<string, string>> }[] = [];
  let refusals = 1;
  const server = createServer({ cert, key }, async (request, response) => {
    const { headers } = request;
    const body = (await buffer(request)).toString();
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const bytes = Buffer.from(secret.slice("whsec_".length), "base64");
    const expected = createHmac("sha256", bytes).update(signed).digest("base64");
    const isRight = headers["webhook-signature"] === `v1,${expected}`;
    refusals -= 1;
    if (refusals < 0 && isRight) told.push(JSON.parse(body));
    response.writeHead(refusals < 0 && isRight ? 204 : 503).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    told,
    settings: {
      WEBHOOKS_URL: `https://localhost:${port}/hook`,
      WEBHOOKS_SECRETS: secret,
      WEBHOOKS_CA: join(folder, "receiver-ca.pem"),
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What the commands of docs/bank-api.md print, for a server in this folder. */
async function documented(dataDir: string, port: number): Promise<unknown> {
  const page = await readFile(join(import.meta.dirname, "../docs/bank-api.md"), "utf8");
  const [, commands = "exit 1"] = /```sh\n(.*?)```/s.exec(page) ?? [];
  const here = commands.replaceAll(".data/", `${dataDir}/`).replaceAll("8444", String(port));
  const script = `shopt -s expand_aliases\n${here}`;
  return JSON.parse((await promisify(execFile)("bash", ["-c", script])).stdout);
}

test("the bank's own systems see and end what a customer has permitted, block a TPP, and are told", async () => {
  test.setTimeout(120_000);
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-bank-api-"));
  const { told, settings, close } = await receiver(folder);
  const bankApiPort = await steadyPort();
  const dataDir = join(folder, "bank");
  const bank = { ...(await freshSettings(dataDir)), bankApiPort, shared: settings };
  const { stop } = await startServer(bank);
  const tpp = await testTpp({ bank });
  const ca = await readFile(join(dataDir, "ca/ca.pem"), "utf8");
  const pem = await readFile(join(dataDir, "bank-api/client.pem"), "utf8");
  const client = http({ ca, certificate: { pem, key: pem } });
  const nobody = http({ ca });
  const customer = { customerId: demoCustomers.ana.id, tppId: tpp.id };
  const origin = `https://localhost:${bankApiPort}`;
  const ask = async (method: string, path: string, body?: object, by = client) => {
    const { status, body: bytes } = await by.send({
      ...{ method, url: `${origin}/bank/v1${path}` },
      headers: body === undefined ? {} : { "content-type": "application/json" },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    });
    return { status, body: JSON.parse(Buffer.from(bytes).toString()) };
  };
  try {
    const psu = psuByForms(bank.webUrl);
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.agree("ana", tpp.name);
    const { consentId } = asked;
    const grant = { consentId, accessToken: (await tpp.collect(asked)).accessToken };
    expect((await tpp.bank.accounts(grant)).status).toBe(200);

    const paying = await tpp.askToPay();
    await psu.open(paying.request.url);
    await psu.agreeAtOnce("ana", tpp.name);

    const ana = `/customers/${demoCustomers.ana.id}`;
    const payments = await ask("GET", `${ana}/payments?tppId=${tpp.id}`);
    expect(payments.body.items).toMatchObject([
      {
        id: paying.paymentId,
        amount: { currency: "EUR", amount: expect.stringMatching(/^\d+\.\d\d$/) },
      },
    ]);
    const list = await ask("GET", `${ana}/permissions/accounts?limit=1`);
    expect(list.body.items).toMatchObject([
      { id: consentId, state: "active", tpp: { id: tpp.id }, firstUsedAt: expect.any(String) },
    ]);
    const accesses = await ask("GET", `${ana}/permissions/accounts/${consentId}/accesses`);
    expect(accesses.body.items).toMatchObject([{ what: "accounts" }]);
    const others = `/customers/${demoCustomers.mihai.id}/permissions/accounts/${consentId}`;
    expect((await ask("GET", others)).status).toBe(404);
    expect((await ask("POST", `${others}/end`, {})).status).toBe(404);
    const reason = "asked for on the phone";
    const end = `${ana}/permissions/accounts/${consentId}/end`;
    expect(await ask("POST", end, { reason })).toEqual({ status: 200, body: { ended: true } });
    expect((await tpp.bank.accounts(grant)).status).toBe(401);
    expect((await ask("POST", end, { reason })).body).toEqual({ ended: false });

    expect(
      (await ask("POST", `${ana}/opt-outs`, { kind: "accounts", tppId: tpp.id })).body,
    ).toEqual({ set: true });
    const optOuts = (await ask("GET", `${ana}/opt-outs`)).body.items;
    const { id: tppId, name: tppName } = tpp;
    const refused = { kind: "accounts", tppId, tppName, setBy: "api:CN=sandbox" };
    expect(optOuts).toEqual([{ ...refused, setAt: expect.stringMatching(/^20.*Z$/) }]);
    const seen = (await ask("GET", `/tpps/${tpp.id}`)).body;
    expect(seen.certificates.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      "QSEAL",
      "QWAC",
    ]);
    // On no other listener.
    for (const url of [bank.xs2aUrl, bank.webUrl]) {
      const { status } = await tpp.http.send({
        method: "GET",
        url: `${url}/bank/v1/tpps`,
        headers: {},
      });
      expect(status).toBe(404);
    }
    expect((await ask("POST", `/tpps/${tpp.id}/block`, { reason: "fraud" })).body).toEqual({
      outcome: "blocked",
    });
    expect((await tpp.bank.consentStatus(consentId)).status).toBe(401);

    const events = (await ask("GET", `/events?resourceId=${consentId}`)).body.items;
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ kind: "consent-status", actor: "api:CN=sandbox" },
        detail: { from: "valid", to: "revokedByPsu", reason },
      }),
    );
    const ofAna = await ask("GET", `/events?customerId=${demoCustomers.ana.id}`);
    expect(JSON.stringify(ofAna.body)).toContain('"what":"listAccesses"');
    const blocks = (await ask("GET", `/events?kind=tpp-blocked&tppId=${tpp.id}`)).body.items;
    expect(blocks).toMatchObject([{ kind: "tpp-blocked", detail: { reason: "fraud" } }]);
    const statistics = await ask("GET", "/statistics?from=2026-01-01&to=2026-01-31&limit=1");
    // A job counts, once a minute.
    expect(statistics).toMatchObject({
      status: 200,
      body: { days: expect.any(Array), permissions: expect.any(Array) },
    });

    // And for nobody else: not even for a TPP, whose certificate the sandbox's CA has issued.
    const accounts = {
      method: "GET",
      url: `${origin}/open-banking/v3.1/aisp/v1/accounts`,
      headers: {},
    };
    expect((await client.send(accounts)).status).toBe(404);
    for (const by of [nobody, tpp.http])
      expect((await ask("GET", "/tpps", undefined, by)).status).toBe(401);

    expect(await documented(dataDir, bankApiPort)).toMatchObject({ items: [{ id: consentId }] });

    await expect.poll(() => told.length, { timeout: 30_000 }).toBe(5);
    expect(told.filter(({ type }) => type === "payment.initiated")).toMatchObject([
      { data: { ...customer, paymentId: paying.paymentId } },
    ]);
    const permission = told.filter(({ type }) => type.startsWith("permission."));
    expect(permission.map(({ type }) => type)).toEqual([
      "permission.given",
      "permission.first_used",
      "permission.ended",
    ]);
    expect(permission.at(-1)?.data).toEqual({
      ...{ permissionId: consentId, kind: "accounts", state: "revoked" },
      ...customer,
    });
    expect(told.filter(({ type }) => type === "tpp.blocked")).toMatchObject([
      { data: { tppId: tpp.id } },
    ]);
  } finally {
    await Promise.all([tpp.close(), client.close(), nobody.close()]);
    await stop();
    close();
    await rm(folder, { recursive: true, force: true });
  }
});
