import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { granted } from "@/clients/typescript/src";
import { guideFiles, guidePath, isGuideName } from "@/lib/guides";
import { expectAccessible, expectReflow } from "./harness/accessible";
import { consentRequest } from "./harness/consent-request";
import { expect, test } from "./harness/test";
import { workshop } from "./harness/workshop";

// Each test is for itself.
test.describe.configure({ mode: "parallel" });

const ACCOUNTS = "GET /open-banking/v3.1/aisp/v1/accounts HTTP/1.1";

/** What repeats what is left: axe takes long with all of a long page. */
const removeAll = (page: Page, repeated: string) =>
  page.locator(repeated).evaluateAll((elements) => {
    for (const element of elements) element.remove();
  });

test.describe("320 px wide", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("WCAG 2.2 AA: the workshop, empty, explaining, issuing and with errors", async ({
    page,
    bank,
    organisation,
  }) => {
    const own = workshop(page, bank.webUrl);
    await own.open();
    await expectReflow(page);
    await expectAccessible(page);
    await own.explain(ACCOUNTS, organisation.certificates?.qwac.pem);
    await expect(page.getByText("The bank answers")).toBeVisible();
    await own.issue("revoked");
    await expectReflow(page);
    await expectAccessible(page);
    await own.explain("");
    await expect(page.getByRole("link", { name: "Paste a request." })).toBeVisible();
    await page.getByLabel("Organisation identifier").fill("1234567");
    await page.getByRole("button", { name: "Make certificates" }).click();
    await expect(page.getByRole("link", { name: /Organisation identifier: it/ })).toBeVisible();
    await expectReflow(page);
    await expectAccessible(page);
  });

  test("notifications are shown with why they were not taken, and sent again; WCAG 2.2 AA", async ({
    page,
    bank,
    tpp,
  }) => {
    const headers = { "tpp-notification-uri": "https://10.0.0.1/told" };
    const redirects = { redirectUri: tpp.redirectUri };
    const asked = await tpp.bank.createConsent(consentRequest(), redirects, { headers });
    expect(asked.headers).toMatchObject({
      "aspsp-notification-support": "true",
      "aspsp-notification-content": "status=PROCESS",
    });
    const { consentId } = granted(asked);
    await tpp.bank.deleteConsent(consentId);
    const row = page.getByRole("row").filter({ hasText: consentId });
    await expect(async () => {
      await page.goto(`${bank.webUrl}/sandbox/notifications`);
      await expect(row).toContainText("leads into a private network", { timeout: 100 });
    }).toPass();
    await expect(row).toContainText('"consentStatus":"terminatedByTpp"');
    await row.getByRole("button", { name: "Send again" }).click();
    await expect(row).toContainText("Waits");
    await removeAll(page, "tr:nth-child(n + 3)");
    await expectReflow(page);
    await expectAccessible(page);
  });

  test("RTS art. 32(4): figures of both interfaces for everybody, by day and as files; WCAG 2.2 AA", async ({
    page,
    bank,
  }) => {
    await page.goto(`${bank.webUrl}/statistics`);
    await page.getByRole("navigation").getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 2 })).toHaveText([
      ...["Interface for TPPs", "Own pages for customers", "How it is measured"],
    ]);
    const columns = page.getByRole("columnheader", { name: "Unplanned downtime %" });
    await expect(columns).toHaveCount(2);
    await expectReflow(page);
    await removeAll(page, "tr:nth-child(n + 3)");
    await expectAccessible(page);
    const file = await page
      .getByRole("link", { name: "JSON" })
      .evaluate((link: HTMLAnchorElement) => link.href);
    // Of all days at once: on a busy machine the database may be too slow for it, which is 503 with Retry-After.
    await expect(async () => {
      const figures = await page.request.get(file);
      expect(figures.status()).toBe(200);
      const { interfaces } = await figures.json();
      expect(interfaces.xs2a.length).toBeGreaterThan(88);
      expect(interfaces.pages).toHaveLength(interfaces.xs2a.length);
    }).toPass();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^statistics-20\d\dQ[1-4]\.csv$/);
    const unknown = await page.request.get(`${bank.webUrl}/statistics/2019Q1.csv`);
    expect(unknown.status()).toBe(404);
  });

  test("WCAG 2.2 AA: guides and error codes, in less than 50 KB of HTML and scripts", async ({
    page,
    bank,
  }) => {
    const guides = Object.keys(guideFiles).filter(isGuideName).map(guidePath);
    const found = "/docs/search?q=consent";
    for (const path of [...guides, found, "/docs/errors", "/docs/errors/CONSENT_EXPIRED"]) {
      const sizes: Promise<number>[] = [];
      const keep = (response: Response) => {
        const kind = response.request().resourceType();
        // A script that is the same as before comes without a body.
        const isCounted = response.ok() && (kind === "document" || kind === "script");
        if (isCounted) sizes.push(response.body().then((body) => gzipSync(body).byteLength));
      };
      page.on("response", keep);
      const answer = await page.goto(bank.webUrl + path);
      page.off("response", keep);
      expect([path, answer?.status()]).toEqual([path, 200]);
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect([path, bytes < 50_000]).toEqual([path, true]);
      for (const summary of await page.locator("summary").all()) await summary.click();
      await expectReflow(page);
      // Rows and entries that repeat what stands before them.
      await removeAll(page, "tr:nth-child(n + 4), .term:nth-child(n + 4), li:nth-child(n + 9)");
      await expectAccessible(page);
    }
  });

  test("a button copies each program and example, and without JavaScript there is none", async ({
    page,
    browser,
    bank,
  }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const path of ["/docs/first-call", "/docs/reference", "/docs/errors/CONSENT_EXPIRED"]) {
      await page.goto(bank.webUrl + path);
      const blocks = page.locator("pre");
      await expect(page.getByText("Copy", { exact: true })).toHaveCount(await blocks.count());
      for (const summary of await page.locator("summary:visible").all()) await summary.click();
      const last = page.getByRole("button", { name: "Copy" }).last();
      await last.focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("status").last()).toHaveText("Copied.");
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect([path, copied]).toEqual([path, await blocks.last().textContent()]);
    }
    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(`${bank.webUrl}/docs/first-call`);
    await expect(plain.getByText("Copy", { exact: true })).toHaveCount(0);
    await plain.close();
  });

  test("WCAG 2.2 AA: the reference of the API", async ({ page, bank }) => {
    await page.goto(`${bank.webUrl}/docs/reference`);
    await expectReflow(page);
    // One call of each area is enough: the others are made of the same parts.
    await removeAll(page, ".call ~ .call:not(:has(.words))");
    await expectAccessible(page);
  });
});

test("the workshop can be used by keyboard, and the focus goes to each answer", async ({
  page,
  bank,
}) => {
  const own = workshop(page, bank.webUrl);
  await own.open();
  const { keyboard } = page;
  const tab = async (times: number) => {
    for (let pressed = 0; pressed < times; pressed += 1) await keyboard.press("Tab");
  };
  await page.getByLabel("Request", { exact: true }).focus();
  await keyboard.type(ACCOUNTS);
  await tab(3);
  await expect(page.getByRole("button", { name: "Explain" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(page.getByText("The bank answers")).toBeVisible();
  await expect(page.getByRole("heading", { name: "What the bank sees" })).toBeFocused();
  await tab(1);
  await expect(page.getByLabel("Request", { exact: true })).toBeFocused();
  await page.getByLabel("PSP_AI").focus();
  await tab(1);
  await keyboard.press("Space");
  await tab(3);
  await expect(page.getByLabel("Defect", { exact: true })).toBeFocused();
  await keyboard.type("expired");
  await tab(2);
  await keyboard.press("Enter");
  await expect(page.getByText("The QWAC has been valid until yesterday")).toBeVisible();
  const made = page.getByRole("heading", { name: "The certificates are made" });
  await expect(made).toBeFocused();
  await tab(2);
  await expect(page.getByRole("link", { name: "Save all" })).toBeFocused();
  await tab(2);
  await expect(page.getByRole("link", { name: "Save qwac.pem" })).toBeFocused();
  await expect(page.getByLabel("PSP_AI")).toBeChecked();
  await expect(page.getByLabel("PSP_PI")).not.toBeChecked();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });

  test("the workshop's answers are where the browser looks first", async ({ page, bank }) => {
    const own = workshop(page, bank.webUrl);
    await own.open();
    await own.explain(ACCOUNTS);
    await expect(page.getByText("401 CERTIFICATE_MISSING").first()).toBeInViewport();
    await expect(page.getByRole("heading", { name: "What the bank sees" })).toBeFocused();
    await own.issue("expired");
    const made = page.getByRole("heading", { name: "The certificates are made" });
    await expect(made).toBeFocused();
    await expect(made).toBeInViewport();
    await page.getByLabel("Organisation identifier").fill("1234567");
    await page.getByRole("button", { name: "Make certificates" }).click();
    await expect(page.getByRole("link", { name: /Organisation identifier: it/ })).toBeInViewport();
    await expectReflow(page);
  });
});
