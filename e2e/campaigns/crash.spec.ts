import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { granted } from "@/clients/typescript/src";
import { bankDay } from "../harness/consent-request";
import { psuAt } from "../harness/psu";
import { freshSettings, type RunningServer, startServer } from "../harness/server";
import { expect, test } from "../harness/test";
import { testTpp } from "../harness/test-tpp";

test.setTimeout(300_000);

test("kill -9 between any two steps of the flow: the server starts again, and the flow goes on", async ({
  page,
  observe,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-crash-"));
  const settings = await freshSettings(dataDir);
  let server: RunningServer = await startServer(settings);
  const tpp = await testTpp({ bank: settings, onExchange: observe });
  const psu = psuAt(page, settings.webUrl);
  const step = <Result>(name: string, take: () => Promise<Result>): Promise<Result> =>
    test.step(name, async () => {
      const result = await take();
      await server.kill();
      server = await startServer(settings);
      return result;
    });

  try {
    const asked = await step("the TPP creates a consent", () => tpp.ask());
    await step("the PSU opens the bank and signs in", async () => {
      await psu.open(asked.request.url);
      await psu.signIn("ana");
      await expect(psu.fields.accounts.first()).toBeVisible();
    });
    await step("the PSU chooses accounts and gets a code", () => psu.chooseAll());
    const code = await psu.codeFor("ana", tpp.name);
    await step("the PSU mistypes the code", async () => {
      await psu.confirm(code === "000000" ? "000001" : "000000");
      await expect(page).toHaveTitle(/^Error: /);
    });
    const cameBack = await step("the PSU confirms and goes back to the TPP", async () => {
      await psu.confirm(code);
      return tpp.listener.next(60_000);
    });
    const token = await step("the TPP fetches the token", () =>
      asked.server.token(cameBack, asked.request),
    );
    const grant = { consentId: asked.consentId, accessToken: token.accessToken };
    const query = { bookingStatus: "both", dateFrom: bankDay(-400) } as const;
    const { accounts, report } = await step("the TPP reads", async () => {
      const { accounts } = granted(await tpp.bank.accounts(grant));
      const id = String(accounts[0]?.resourceId);
      granted(await tpp.bank.balances(grant, id));
      return { accounts, report: granted(await tpp.bank.transactions(grant, id, query)) };
    });
    await step("the TPP reads the next page", async () => {
      const next = String(report.transactions._links.next?.href);
      return granted(await tpp.bank.nextTransactions(grant, next));
    });
    const fresh = await step("the TPP refreshes", () =>
      asked.server.refresh(String(token.refreshToken)),
    );
    const renewed = { ...grant, accessToken: fresh.accessToken };
    expect(granted(await tpp.bank.accounts(renewed)).accounts).toEqual(accounts);
    await step("the TPP deletes the consent", () => tpp.bank.deleteConsent(asked.consentId));
    const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
    expect(consentStatus).toBe("terminatedByTpp");

    await test.step("Ctrl-C leaves nothing running: the database has shut down too", async () => {
      expect(databaseRuns(dataDir)).toBe(true);
      await server.stop();
      expect(databaseRuns(dataDir)).toBe(false);
    });
  } finally {
    await server.stop();
    await tpp.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/**
 * PostgreSQL keeps this file while it runs and takes it away at an orderly end. For root its folder
 * can lie elsewhere, and a file says where.
 */
function databaseRuns(dataDir: string): boolean {
  const place = join(dataDir, "pg");
  const home = statSync(place).isFile() ? readFileSync(place, "utf8").trim() : place;
  const files = readdirSync(home, { recursive: true }).map(String);
  return files.some((name) => basename(name) === "postmaster.pid");
}
