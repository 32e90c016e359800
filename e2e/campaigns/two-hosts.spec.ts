import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { granted } from "@/clients/typescript/src";
import { ownDatabase } from "../harness/own-database";
import { argumentsOf, childrenOf } from "../harness/processes";
import { psuByForms } from "../harness/psu-by-forms";
import { freshSettings, type ServerSettings, startServer } from "../harness/server";
import { expect, test } from "../harness/test";
import { type TestTpp, testTpp } from "../harness/test-tpp";

test.setTimeout(300_000);

test("a host that is killed leaves the other one working, and is started again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-hosts-"));
  const bank = await freshSettings(folder);
  const server = await startServer(bank);
  const tpp = await testTpp({ bank });
  try {
    const tppHost = { name: "the TPP host", file: "tpp.mjs", url: bank.xs2aUrl };
    const browserHost = { name: "the browser host", file: "web.mjs", url: bank.webUrl };
    for (const [killed, other] of [
      [tppHost, browserHost],
      [browserHost, tppHost],
    ] as const) {
      const [pid, before] = [hostOf(server.pid, killed.file), hostOf(server.pid, other.file)];
      process.kill(pid, "SIGKILL");
      expect(await readyAt(other.url, tpp)).toBe(200);
      const again = () => readyAt(killed.url, tpp).catch(() => 0);
      await expect.poll(again, { timeout: 60_000 }).toBe(200);
      expect(hostOf(server.pid, killed.file)).not.toBe(pid);
      expect(hostOf(server.pid, other.file)).toBe(before);
      const lines = server.output().split("\n");
      expect(lines.filter((line) => line.includes(`${killed.name} has ended`))).toHaveLength(1);
    }
    await readAccounts(bank, tpp);
  } finally {
    await tpp.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("each host starts and stops alone, beside one database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-hosts-"));
  const database = await ownDatabase(join(folder, "database"));
  const bank: ServerSettings = {
    ...(await freshSettings(join(folder, "bank"))),
    shared: { DATABASE_URL: database.url },
  };
  const web = await startServer(bank, "start:web");
  const tppHost = await startServer(bank, "start:tpp");
  const tpp = await testTpp({ bank });
  try {
    await readAccounts(bank, tpp);
    expect(await tppHost.terminate()).toBe(0);
    expect(await readyAt(bank.webUrl, tpp)).toBe(200);
    await expect(readyAt(bank.xs2aUrl, tpp)).rejects.toThrow();
    expect(await web.terminate()).toBe(0);
    await expect(readyAt(bank.webUrl, tpp)).rejects.toThrow();
  } finally {
    await tpp.close();
    await Promise.all([web.stop(), tppHost.stop()]);
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** The process that runs this file below the launcher. */
function hostOf(launcher: number, file: string): number {
  const pids = childrenOf(launcher).filter((pid) => argumentsOf(pid)[1]?.endsWith(file) === true);
  expect(pids.length).toBeLessThan(2);
  return pids[0] ?? 0;
}

async function readyAt(url: string, { http }: TestTpp): Promise<number> {
  return (await http.send({ method: "GET", url: `${url}/health/ready`, headers: {} })).status;
}

async function readAccounts({ webUrl }: ServerSettings, tpp: TestTpp): Promise<void> {
  const asked = await tpp.ask();
  const psu = psuByForms(webUrl);
  await psu.open(asked.request.url);
  await psu.agree("ana", tpp.name);
  const { accessToken } = await tpp.collect(asked);
  const { accounts } = granted(
    await tpp.bank.accounts({ consentId: asked.consentId, accessToken }),
  );
  expect(accounts.length).toBeGreaterThan(0);
}
