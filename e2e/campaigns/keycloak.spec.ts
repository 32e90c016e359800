import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { granted } from "@/clients/typescript/src";
import { noKeycloak, type RunningKeycloak, startKeycloak, tokenCode } from "../harness/keycloak";
import {
  freshSettings,
  type RunningServer,
  type ServerSettings,
  startServer,
} from "../harness/server";
import { expect, test } from "../harness/test";
import { type Asked, type TestTpp, testTpp } from "../harness/test-tpp";

// The same as in front of the stand-in (e2e/identity-provider.spec.ts), with an identity provider that banks use.

test.setTimeout(300_000);
test.describe.configure({ mode: "default" });

let folder: string;
let keycloak: RunningKeycloak;
let bank: ServerSettings;
let server: RunningServer;
let tpp: TestTpp;
let why: string | undefined;

test.beforeAll(async () => {
  // Java's first start, and a build: the limit of the tests is none of a hook.
  test.setTimeout(900_000);
  why = await noKeycloak();
  if (why !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), "drawbridge-keycloak-"));
  const fresh = await freshSettings(join(folder, "bank"));
  keycloak = await startKeycloak(join(folder, "keycloak"), fresh.webUrl);
  bank = { ...fresh, shared: keycloak.settings };
  server = await startServer(bank);
  tpp = await testTpp({ bank });
});

test.beforeEach(() => {
  test.skip(why !== undefined, why);
});

test.afterAll(async () => {
  await tpp?.close();
  await server?.stop();
  await keycloak?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

async function signIn(page: Page, userId: "ana", password = `${userId}-sandbox`) {
  // Who has signed in a moment ago is asked for the password alone.
  const name = page.locator("#username");
  if (await name.isVisible()) await name.fill(`${userId}@bank.example`);
  await page.locator("#password").fill(password);
  await page.locator("#kc-login").click();
}

async function toConfirmation(page: Page, asked: Pick<Asked, "request">) {
  await page.goto(asked.request.url.href);
  await signIn(page, "ana");
  const all = page.locator("input[name=all]");
  const stepUp = page.locator('a[href*="/step-up?"]');
  await expect(all.or(stepUp).first()).toBeVisible();
  if (await all.isVisible()) {
    await all.check();
    await page.locator('form[action$="/accounts"] button:not([form])').first().click();
  }
  await expect(stepUp).toBeVisible();
}

/** Password and the customer's token. */
async function stepUp(page: Page) {
  await page.locator('a[href*="/step-up?"]').click();
  await signIn(page, "ana");
  await page.locator("#otp").fill(tokenCode());
  await page.locator("#kc-login").click();
}

test("account information: signed in and confirmed at Keycloak, with password and token", async ({
  page,
}) => {
  const asked = await tpp.ask();
  await toConfirmation(page, asked);
  await stepUp(page);
  const { accessToken } = await tpp.collect(asked);
  const { accounts } = granted(
    await tpp.bank.accounts({ consentId: asked.consentId, accessToken }),
  );
  expect(accounts.length).toBeGreaterThan(0);
});

test("a payment: confirmed in the app that Keycloak asks, by the reference on the page", async ({
  page,
}) => {
  const asked = await tpp.askToPay();
  await toConfirmation(page, asked);
  await page.getByRole("button", { name: "Confirm in the app instead" }).click();
  const text = await page.locator("main").textContent();
  const reference = /reference ([2-9A-HJ-NP-Z]{4})\./.exec(text ?? "none")?.[1];
  const waiting = keycloak.asked.find(({ bindingMessage }) => bindingMessage === reference);
  if (waiting === undefined) throw new Error(`nothing waits with ${reference}`);
  await keycloak.answer(waiting, "SUCCEED");
  await tpp.collect(asked);
});

test("a payment that is refused in the app is rejected, and the PSU is led back", async ({
  page,
}) => {
  const asked = await tpp.askToPay();
  await toConfirmation(page, asked);
  await page.getByRole("button", { name: "Confirm in the app instead" }).click();
  await expect(page.locator('form[action$="/approval"]')).toBeVisible();
  const waiting = keycloak.asked.at(-1);
  if (waiting === undefined) throw new Error("nothing waits");
  await keycloak.answer(waiting, "UNAUTHORIZED");
  await expect(page.getByRole("button", { name: /^Back to/ })).toBeVisible({ timeout: 60_000 });
  expect(granted(await tpp.bank.paymentStatus(asked)).transactionStatus).toBe("RJCT");
});

test("a wrong password at Keycloak changes nothing at the bank", async ({ page }) => {
  const asked = await tpp.askToPay();
  await page.goto(asked.request.url.href);
  await signIn(page, "ana", "wrong");
  await expect(
    page.locator("#input-error, .kc-feedback-text, [id^=input-error]").first(),
  ).toBeVisible();
  expect(granted(await tpp.bank.paymentStatus(asked)).transactionStatus).toBe("RCVD");
  await signIn(page, "ana");
  await expect(page.locator('a[href*="/step-up?"]')).toBeVisible();
});
