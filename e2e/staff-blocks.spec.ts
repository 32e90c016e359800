import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { expectAccessibleInLight } from "./harness/accessible";
import { ownChannelAt } from "./harness/own-channel";
import { expectRefusal } from "./harness/refusals";
import { type DemoOperator, staffAt } from "./harness/staff";
import { expect, test } from "./harness/test";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function operatorAt(browser: Browser, staffUrl: string, name: DemoOperator, path: string) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const page = await context.newPage();
  await staffAt(page, staffUrl).signIn(name, path);
  return page;
}

/** From the page of the TPP: asks for it, and sees that it cannot be approved by the same person. */
async function request(page: Page, begin: string, basis: string, reason: string) {
  await page.getByRole("link", { name: begin }).click();
  await page.getByLabel("Legal basis").selectOption({ label: basis });
  await page.getByLabel("Facts and reasons").fill(reason);
  await expectAccessibleInLight(page);
  await button(page, "Send the request").click();
  await expect(page.getByRole("status")).toContainText("Another person has to approve it");
  await expect(page.getByText("You have requested this yourself")).toBeVisible();
  await expect(button(page, "Approve")).toHaveCount(0);
  await expect(button(page, "Withdraw the request")).toBeVisible();
  await expectAccessibleInLight(page);
  return new URL(page.url()).pathname;
}

async function approve(page: Page, staffUrl: string, path: string) {
  await page.goto(staffUrl + path);
  await expectAccessibleInLight(page);
  await page.getByLabel("Note on the approval").fill("seen");
  await button(page, "Approve").click();
  await expect(page.getByRole("status")).toContainText("Approved");
}

/** The lines of the file of the page's last table. */
async function csvOf(page: Page): Promise<readonly string[]> {
  const files = page.getByRole("link", { name: "Download as CSV" });
  const href = await files.last().getAttribute("href");
  const file = await page.request.get(new URL(href ?? "none", page.url()).href);
  expect(file.headers()["content-type"]).toContain("text/csv");
  return (await file.text()).replace("\ufeff", "").trim().split("\r\n");
}

test("E1: one operator requests a TPP's block, another approves it, and TPP, PSU and authority learn of it; its end likewise", async ({
  bank,
  newTpp,
  authorise,
  browser,
}) => {
  const tpp = await newTpp();
  const grant = await authorise(tpp);
  const { staffUrl } = bank;
  const ioana = await operatorAt(browser, staffUrl, "ioana", "/staff/tpps");
  await ioana.getByLabel("Filter").fill(tpp.id);
  await button(ioana, "Apply").click();
  await expect(ioana).toHaveURL(/\?.*filter/);
  await expectAccessibleInLight(ioana);
  const tpps = await csvOf(ioana);
  expect(tpps).toHaveLength(2);
  expect(tpps[0]).toContain('"Name","Identifier","Authority","Roles"');
  expect(tpps[1]).toContain(`"${tpp.name}","${tpp.id}"`);
  await ioana.getByRole("link", { name: tpp.name }).click();
  await expect(ioana.getByRole("heading", { level: 1 })).toContainText(tpp.name);
  await expectAccessibleInLight(ioana);
  const fraud = "Unauthorised or fraudulent access or payments (PSD2 art. 68(5))";
  const facts = "Read accounts of customers who had not asked for it.";
  const block = await request(ioana, "Request a block", fraud, facts);
  expect((await tpp.bank.accounts(grant)).status).toBe(200);

  const radu = await operatorAt(browser, staffUrl, "radu", "/staff/blocks");
  await expectAccessibleInLight(radu);
  await approve(radu, staffUrl, block);
  expectRefusal(await tpp.bank.accounts(grant), 401, "CERTIFICATE_BLOCKED");
  await radu.getByRole("link", { name: "Report to the authority" }).click();
  await expect(radu.getByText(facts)).toBeVisible();
  await expectAccessibleInLight(radu);
  const download = radu.waitForEvent("download");
  await radu.getByRole("link", { name: "Download as text" }).click();
  const report = await readFile(await (await download).path(), "utf8");
  for (const part of [tpp.name, tpp.id, fraud, facts, "1, of 1 customer", "given on their pages"])
    expect(report).toContain(part);

  const psu = await (await browser.newContext()).newPage();
  await ownChannelAt(psu, bank.webUrl).signIn("ana");
  const notice = psu.getByRole("listitem").filter({ hasText: tpp.name });
  await expect(notice).toContainText("has no access to your accounts");
  await expectAccessibleInLight(psu);
  await button(psu, "Română").click();
  await expect(notice).toContainText("nu are acces");
  await expectAccessibleInLight(psu);

  await radu.goto(`${staffUrl}/staff/tpps/${encodeURIComponent(tpp.id)}`);
  const certificates = radu.getByRole("table", { name: "Certificates seen" });
  await certificates.getByRole("link", { name: "Kind" }).click();
  await expect(certificates.getByRole("columnheader", { name: "Kind" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expect(radu.locator("[aria-sort]")).toHaveCount(1);
  const over = "The reasons for the block are over (PSD2 art. 68(5), last sentence)";
  const end = await request(radu, "Request to let it in again", over, "The TPP has explained it.");
  await approve(ioana, staffUrl, end);
  expect((await tpp.bank.accounts(grant)).status).toBe(200);
  await psu.reload();
  await expect(notice).toContainText("poate folosi din nou");

  await radu.goto(`${staffUrl}/staff/statistics`);
  expect((await csvOf(radu))[0]).toBe('"Day","What","State, code or data","Of","Number"');
  await radu.goto(`${staffUrl}/staff/keys`);
  const listener = radu.getByRole("row").filter({ hasText: "TLS certificate for TPPs" });
  await expect(listener).toContainText(/CN=.* days/s);
  const seal = radu.getByRole("row").filter({ hasText: "Seal of notifications (QSealC)" });
  await expect(seal).toContainText(/CN=.* days/s);
  await radu.goto(`${staffUrl}/staff/health`);
  await expect(radu.getByRole("definition").last()).toHaveText("Nothing");

  // In Romanian, too.
  await button(radu, "Română").click();
  for (const [path, heading] of [
    ["/staff/statistics", "Statistici"],
    ["/staff/health", "Stare"],
    ["/staff/keys", "Chei și certificate"],
    [end, `Ridicarea blocării: ${tpp.name}`],
  ] as const) {
    await radu.goto(staffUrl + path);
    await expect(radu.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expectAccessibleInLight(radu);
  }
  for (const page of [ioana, radu, psu]) await page.context().close();
});

test("what is wrong with a request to block a TPP is said at its field, and the form keeps what was typed", async ({
  bank,
  newTpp,
  browser,
}) => {
  const { id } = await newTpp();
  const path = `/staff/tpps/${encodeURIComponent(id)}/request`;
  const ioana = await operatorAt(browser, bank.staffUrl, "ioana", path);
  const basis = ioana.getByLabel("Legal basis");
  const facts = ioana.getByLabel("Facts and reasons");
  const until = ioana.getByLabel("Last day of the block");
  const told = ioana.getByLabel("Are the customers told?");
  const why = ioana.getByLabel("If not: why");
  const send = button(ioana, "Send the request");
  const alert = ioana.getByRole("alert");
  /** As long as may be, where the end of a line is one character. */
  const reason = `${"Read accounts.\n".repeat(133)}ended`;
  const fill = async () => {
    await basis.selectOption("unauthorised-access");
    await facts.fill(reason);
    await until.fill("2999-12-30");
    await told.selectOption("security");
  };
  const expectKept = async () => {
    await expect(basis).toHaveValue("unauthorised-access");
    await expect(facts).toHaveValue(reason);
    await expect(until).toHaveValue("2999-12-30");
    await expect(told).toHaveValue("security");
  };
  await fill();
  await send.click();
  await expectKept();
  await expect(why).toHaveAttribute("aria-invalid", "true");
  await expect(why).toHaveAccessibleDescription(/Error: Say why the customers are not told/);
  await expect(facts).toHaveAttribute("aria-invalid", "false");
  await alert.getByRole("link").click();
  await expect(why).toBeFocused();
  await expectAccessibleInLight(ioana);
  await why.fill("An investigation is under way.");
  await send.click();
  await expect(ioana.getByRole("status")).toContainText("Another person has to approve it");

  await ioana.goto(bank.staffUrl + path);
  await fill();
  await why.fill("An investigation is under way.");
  await send.click();
  await expect(alert).toContainText("A request for this TPP is open already");
  await expectKept();
  await expect(why).toHaveValue("An investigation is under way.");
  await ioana.context().close();
});
