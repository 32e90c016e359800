import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { granted } from "@/cli/tpp/reply";
import { startCoreBank } from "./harness/core-bank";
import { psuAt } from "./harness/psu";
import { freshSettings, startServer } from "./harness/server";
import { steadyPort } from "./harness/steady-port";
import { expect, test } from "./harness/test";
import { testTpp } from "./harness/test-tpp";

test.setTimeout(300_000);

const dateFrom = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
const unavailable = {
  status: 503,
  headers: { "retry-after": "2" },
  body: { tppMessages: [{ category: "ERROR", code: "SERVICE_UNAVAILABLE" }] },
};

test("with the core bank gone reads are 503 with Retry-After, consents are ended, and a payment waits for its return and is executed once", async ({
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-core-"));
  const port = await steadyPort();
  const coreFolder = join(folder, "core");
  let core = await startCoreBank(coreFolder, port);
  const settings = { ...(await freshSettings(join(folder, "bank"))), shared: core.settings };
  const server = await startServer(settings);
  const tpp = await testTpp({ bank: settings });
  const psu = psuAt(page, settings.webUrl);
  try {
    const asked = await tpp.ask();
    const other = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.signIn("ana");
    await psu.chooseAll();
    await psu.confirm(await psu.codeFor("ana", tpp.name));
    const { accessToken } = await tpp.collect(asked);
    const permission = { consentId: asked.consentId, accessToken };
    const { accounts } = granted(await tpp.bank.accounts(permission));
    const resourceId = accounts[0]?.resourceId ?? "none";
    const reads = () => [
      tpp.bank.accounts(permission),
      tpp.bank.balances(permission, resourceId),
      tpp.bank.transactions(permission, resourceId, {
        bookingStatus: "both",
        dateFrom,
      }),
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
    expect(granted(await tpp.bank.consentStatus(asked.consentId)).consentStatus).toBe("valid");
    await psu.confirm(code);
    await expect(page).toHaveTitle(/We cannot answer at the moment/);
    expect(granted(await tpp.bank.paymentStatus(payment)).transactionStatus).toBe("RCVD");

    core = await startCoreBank(coreFolder, port);
    await expect.poll(async () => (await tpp.bank.accounts(permission)).status).toBe(200);
    await page.getByRole("link", { name: "Try again" }).click();
    await psu.confirm(code);
    await tpp.collect(payment);
    const status = async () => granted(await tpp.bank.paymentStatus(payment)).transactionStatus;
    await expect.poll(status).toBe("ACSC");
  } finally {
    await tpp.close();
    await server.stop();
    await core.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
