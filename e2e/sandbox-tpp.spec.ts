import { execFileSync } from "node:child_process";
import { expectAccessible, expectReflow } from "./harness/accessible";
import { expect, test } from "./harness/test";

// Each test is for itself.
test.describe.configure({ mode: "parallel" });

const NAME = "Demo TPP";

test.describe("without JavaScript, 320 px wide", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });

  test("the demo TPP reads a PSU's accounts, and its requests can be sent again with curl", async ({
    page,
    bank,
    psu,
  }) => {
    await page.goto(`${bank.webUrl}/sandbox/tpp`);
    await expectReflow(page);
    await page.getByRole("button", { name: "Read accounts" }).click();
    await psu.agree("elena", NAME);
    await page.waitForURL(`${bank.webUrl}/sandbox/tpp`);
    const outcome = page.getByRole("region", { name: "Your accounts, as the TPP sees them" });
    await expect(outcome).toContainText(/RO\d{2}DRWB\d{16} RON/);
    await expect(outcome).toContainText("closingBooked");
    await expect(outcome.getByRole("img", { name: /^Paid by day/ }).first()).toBeVisible();
    await expect(outcome.getByRole("table").first()).toContainText("RON");
    await expectReflow(page);

    const listed = page.getByRole("listitem").filter({ hasText: /^GET .*\/v1\/accounts\?/ });
    await listed.getByText(/GET .*accounts/).click();
    await expect(listed).toContainText("Signing string");
    await listed.getByRole("link", { name: "Copy as curl" }).click();
    await expect(page.getByText("failed", { exact: true })).toHaveCount(0);
    const curl = await page
      .getByRole("region", { name: "Copy as curl" })
      .locator("pre")
      .textContent();
    const again = execFileSync("bash", ["-c", `${curl} --silent`], { encoding: "utf8" });
    expect(again).toMatch(/"iban":"RO\d{2}DRWB\d{16}"/);
    await expectReflow(page);
  });
});

test("the demo TPP pays, follows the payment to its end, and has no faults for axe", async ({
  page,
  bank,
  psu,
}) => {
  await page.goto(`${bank.webUrl}/sandbox/tpp`);
  await expectAccessible(page);
  await page.getByLabel("Amount in EUR").fill("0");
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "HTTP 400" })).toBeVisible();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await psu.agreeAtOnce("ana", NAME);
  await page.waitForURL(`${bank.webUrl}/sandbox/tpp`);
  const outcome = page.getByRole("region", { name: "The payment’s life" });
  await expect(outcome).toContainText("RCVD");
  await expect(async () => {
    const more = outcome.getByRole("button", { name: "Ask for the status again" });
    if (await more.isVisible()) await more.click();
    await expect(outcome).toContainText("ACSC", { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await expectAccessible(page);
  await page.getByRole("link", { name: "Explain" }).first().click();
  await expect(page.getByRole("heading", { name: "Explain" })).toBeVisible();
  await expectAccessible(page);
});
