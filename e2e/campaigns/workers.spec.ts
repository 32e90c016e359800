import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { granted, NoAnswer } from "@/clients/typescript/src";
import { freePort } from "@/lib/server/embedded-database";
import { isRunning } from "@/lib/server/lock-file";
import { childrenOf, openTo } from "../harness/processes";
import { psuByForms } from "../harness/psu-by-forms";
import { freshSettings, type ServerSettings, startServer } from "../harness/server";
import { expect, test } from "../harness/test";
import { type Grant, type TestTpp, testTpp } from "../harness/test-tpp";

/** Long enough to look at a server that is about to end. */
const DRAIN_SECONDS = "3";

test.setTimeout(300_000);

test("WORKERS=2: both processes of a host answer; one that is killed is replaced; SIGTERM drains and ends all", async ({
  observe,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-workers-"));
  const metricsPort = await freePort(0);
  const shared = { WORKERS: "2", DRAIN_SECONDS, XS2A_METRICS_PORT: `${metricsPort}` };
  const bank = { ...(await freshSettings(folder)), shared };
  const server = await startServer(bank);
  const tpp = await testTpp({ bank, onExchange: observe });
  try {
    // The PSU's visit and the token are led from one process to the other.
    const asked = await tpp.ask();
    const psu = psuByForms(bank.webUrl);
    await psu.open(asked.request.url);
    await psu.agree("ana", tpp.name);
    const token = await tpp.collect(asked);
    const { consentId } = asked;
    const grant: Grant = { consentId, accessToken: token.accessToken, asked, token };

    const workers = await bothAnswer(tpp, grant, server.pid);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    // Twelve at least, of both processes together.
    expect(metrics).toMatch(/_seconds_count\{area="aisp",endpoint="[^"]+\/accounts"[^}]+\} \d\d/);

    const [killed = 0] = workers;
    process.kill(killed, "SIGKILL");
    const replaced = await bothAnswer(tpp, grant, server.pid);
    expect(replaced).not.toContain(killed);
    expect(replaced.filter((pid) => workers.includes(pid))).toHaveLength(1);

    const ended = server.terminate();
    await expectDraining(bank, tpp);
    expect(await ended).toBe(0);
    expect(replaced.filter(isRunning)).toEqual([]);
  } finally {
    await tpp.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** It is not ready any more and still answers, and with each answer it ends a connection. */
async function expectDraining({ webUrl }: ServerSettings, { http, xs2aUrl }: TestTpp) {
  await expect
    .poll(async () => (await fetch(`${webUrl}/health/ready`)).status, { intervals: [50] })
    .toBe(503);
  const { status, headers } = await http.send({
    method: "GET",
    url: `${xs2aUrl}/jwks`,
    headers: {},
  });
  expect([status, headers["connection"]]).toEqual([200, "close"]);
}

/** Waits until two workers have connections on which requests are answered, and yields which. */
async function bothAnswer(tpp: TestTpp, grant: Grant, server: number): Promise<readonly number[]> {
  const port = Number(new URL(tpp.xs2aUrl).port);
  let answering: readonly number[] = [];
  await expect(async () => {
    await Promise.all(Array.from({ length: 12 }, () => readAccounts(tpp, grant)));
    // Of the hosts, each of which keeps its own.
    const processes = childrenOf(server).flatMap(childrenOf);
    answering = processes.filter((pid) => openTo(pid, port) > 0);
    expect(answering).toHaveLength(2);
  }).toPass({ timeout: 60_000 });
  return answering;
}

async function readAccounts(tpp: TestTpp, grant: Grant): Promise<void> {
  const reply = await tpp.bank.accounts(grant).catch((error: unknown) => {
    // On a connection to one that has just been killed.
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
  if (reply !== undefined) expect(granted(reply).accounts.length).toBeGreaterThan(0);
}
