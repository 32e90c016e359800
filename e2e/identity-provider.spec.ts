import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { granted } from "@/cli/tpp/reply";
import {
  appOf,
  customerAt,
  type RunningProvider,
  startIdentityProvider,
} from "./harness/identity-provider";
import { psuAt } from "./harness/psu";
import {
  freshSettings,
  type RunningServer,
  type ServerSettings,
  startServer,
} from "./harness/server";
import { expect, test } from "./harness/test";
import { type TestTpp, testTpp } from "./harness/test-tpp";

test.setTimeout(300_000);
test.use({ ignoreHTTPSErrors: true });

let folder: string;
let provider: RunningProvider;
let bank: ServerSettings;
let server: RunningServer;
let tpp: TestTpp;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-idp-"));
  const fresh = await freshSettings(join(folder, "bank"));
  provider = await startIdentityProvider(join(folder, "provider"), { webUrl: fresh.webUrl });
  bank = { ...fresh, shared: { ...provider.settings, PSU_SCA: "oidc,ciba" } };
  server = await startServer(bank);
  tpp = await testTpp({ bank });
});

test.afterAll(async () => {
  await tpp?.close();
  await server?.stop();
  await provider?.stop();
  await rm(folder, { recursive: true, force: true });
});

const next = (page: Page) => page.getByRole("link", { name: "Continue to confirm", exact: true });

test("account information: sign-in and confirmation at the bank's identity provider", async ({
  page,
}) => {
  const asked = await tpp.ask();
  const psu = psuAt(page, bank.webUrl);
  await psu.open(asked.request.url);
  await customerAt(page).signIn("ana");
  await psu.selectAll();
  await psu.continueButton.click();
  await next(page).click();
  await expect(page.locator(".what")).toContainText(tpp.name);
  await customerAt(page).signIn("ana");
  const { accessToken } = await tpp.collect(asked);
  const { accounts } = granted(
    await tpp.bank.accounts({ consentId: asked.consentId, accessToken }),
  );
  expect(accounts.length).toBeGreaterThan(0);
});

test("a payment: confirmed in the bank's app, which shows the page's reference", async ({
  page,
  context,
}) => {
  const payment = await tpp.askToPay();
  const psu = psuAt(page, bank.webUrl);
  await psu.open(payment.request.url);
  await customerAt(page).signIn("ana");
  await page.getByRole("button", { name: "Confirm in the app instead" }).click();
  await expect(page.getByRole("heading", { name: "Confirm in your bank’s app" })).toBeVisible();
  const app = appOf(await context.newPage(), provider.issuer);
  await app.open("ana");
  await app.answer("Confirm");
  await tpp.collect(payment);
});
