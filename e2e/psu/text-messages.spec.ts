import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cameraFor } from "../harness/camera";
import { freshSettings, type ServerSettings, startServer } from "../harness/server";
import { type SmsGateway, smsGateway } from "../harness/sms-gateway";
import { test as base, expect } from "../harness/test";

/** A bank whose codes go to a gateway of the test's. */
const test = base.extend<object, { readonly gateway: SmsGateway; readonly bank: ServerSettings }>({
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const gateway = await smsGateway();
      await use(gateway);
      await gateway.goDown();
    },
    { scope: "worker" },
  ],
  bank: [
    async ({ gateway }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-texts-"));
      const shared = { SMS_GATEWAY_URL: gateway.url, SMS_GATEWAY_TOKEN: "the-banks-token" };
      const settings = { ...(await freshSettings(dataDir)), shared };
      const server = await startServer(settings);
      await use(settings);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

test("codes go to the gateway; while it is down the page says so, and afterwards a new one confirms", async ({
  gateway,
  tpp,
  psu,
}) => {
  const { page } = psu;
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.chooseAll();
  await expect(page.getByText(/sent by text message to your phone/)).toBeVisible();
  await expect(page.getByRole("link", { name: /sandbox phone/ })).toHaveCount(0);
  const [first] = gateway.taken;
  expect(gateway.taken).toEqual([
    {
      authorization: "Bearer the-banks-token",
      body: { to: expect.any(String), text: expect.stringContaining(tpp.name) },
    },
  ]);

  await gateway.goDown();
  await page.getByRole("button", { name: "Send a new code" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  const problem = page.getByText("The text message could not be sent");
  await expect(problem.first()).toBeVisible();
  await expect(psu.cancelButton).toBeVisible();
  await expect(psu.fields.code).toHaveCount(0);
  const camera = cameraFor("texts", page);
  await camera.take("not-delivered");
  expect(camera.left()).toEqual([]);
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(problem.first()).toBeVisible();

  await gateway.comeBack();
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(psu.fields.code).toBeVisible();
  const latest = gateway.taken.at(-1);
  expect(latest).not.toEqual(first);
  await psu.confirm(String(/\d{6}/.exec(String(latest?.body.text))?.[0]));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("a PSU whose code never comes goes back to the TPP", async ({ gateway, tpp, psu }) => {
  await gateway.goDown();
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.selectAll();
  await psu.continueButton.click();
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.cancel();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
});
