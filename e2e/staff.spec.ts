import { readFile } from "node:fs/promises";
import { granted } from "@/clients/typescript/src";
import { demoCustomers } from "@/lib/sandbox/demo-bank-people";
import { expectAccessible } from "./harness/accessible";
import { exported } from "./harness/bank-command";
import { staffAt } from "./harness/staff";
import { expect, test } from "./harness/test";

test.use({ viewport: { width: 1024, height: 768 } });

const { id: ana } = demoCustomers.ana;

test("H4: support finds a consent, sees what happened, ends it for the customer, and why the TPP was refused; all of it on record", async ({
  bank,
  newTpp,
  authorise,
  page,
  context,
}) => {
  const tpp = await newTpp();
  const grant = await authorise(tpp);
  const another = await authorise(await newTpp());
  const read = await tpp.bank.accounts(grant);
  const { accounts } = granted(read);
  const iban = accounts[0]?.iban ?? "none";

  const staff = staffAt(page, bank.staffUrl);
  await staff.signIn("ioana", "/staff/search");
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });
  const search = async (text: string) => {
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByLabel("What are you looking for?").fill(text);
    await page.keyboard.press("Enter");
    await expect(heading("Search").or(heading("Account information: what happened"))).toBeVisible();
  };
  await search(String(read.headers["x-request-id"]));
  const path = `/staff/cases/AIS/${grant.consentId}`;
  await expect(page).toHaveURL(bank.staffUrl + path);
  const timeline = page.getByRole("table", { name: "Timeline" });
  await expect(timeline).toContainText("confirmation: code");
  await expect(timeline.getByText("List of accounts read").first()).toBeVisible();
  await expectAccessible(page);

  const endIt = page.getByRole("button", { name: "End the permission" });
  await endIt.click();
  await expect(page.getByRole("alert")).toContainText("Give a reason.");
  await page.getByLabel("Reason", { exact: true }).fill("asked for by telephone");
  await endIt.click();
  await expect(page.getByRole("status")).toHaveText("The permission has ended.");
  await expect(endIt).toHaveCount(0);

  const refused = await tpp.bank.accounts(grant);
  expect(refused.status).toBe(401);
  const requestId = String(refused.headers["x-request-id"]);
  const told = refused.ok ? "none" : String(refused.body.tppMessages[0]?.text);
  // Written beside the answer.
  await expect(async () => {
    await page.reload();
    await expect(timeline).toContainText(`The TPP was told: “${told}”`, { timeout: 500 });
  }).toPass();
  await expect(timeline).toContainText("/open-banking/v3.1/aisp/v1/accounts");
  await search(requestId);
  await expect(page.getByRole("table", { name: "Refused requests" })).toContainText(told);

  const download = async () => {
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as CSV" }).click();
    return readFile(await (await downloading).path(), "utf8");
  };
  await search(iban);
  expect(page.url()).not.toContain(iban);
  await expect(page.locator("main")).toContainText(grant.consentId);
  await search("ana");
  const cases = page.getByRole("table", { name: "Consents and payments" });
  await expect(cases).toContainText(grant.consentId);
  await expectAccessible(page);
  const found = await download();
  expect(found).toContain(`"${grant.consentId}"`);
  await page.getByRole("region", { name: "Customer" }).getByRole("link", { name: ana }).click();
  await expect(heading("Customer")).toBeVisible();
  await expect(page.getByText("Ana Popescu")).toBeVisible();
  await page.getByLabel("Filter").fill(grant.consentId);
  await page.keyboard.press("Enter");
  const permissions = page.getByRole("table", { name: "Permissions and payments" });
  await expect(permissions.getByRole("row")).toHaveCount(2);
  await permissions.getByRole("link", { name: "Status" }).click();
  await expect(permissions.getByRole("columnheader", { name: "Status" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expectAccessible(page);
  const file = await download();
  expect(file.trim().split("\r\n")).toHaveLength(2);
  expect(file).toContain(`"${grant.consentId}"`);
  expect(file).not.toContain(another.consentId);

  const recorded = await exported(bank, "--resource", grant.consentId);
  const events = recorded
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(events.findLast(({ kind }) => kind === "consent-status")).toMatchObject({
    actor: "ioana",
    detail: { from: "valid", to: "revokedByPsu", reason: "asked for by telephone" },
  });
  const looks = events.filter(({ kind }) => kind === "customer-viewed");
  expect(looks.length).toBeGreaterThan(1);
  const subjects = [...looks, ...events.filter(({ kind }) => kind === "sca-proved")];
  expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(1);

  // The session ends at once, for a copy of its cookie too.
  const copied = await context.cookies(bank.staffUrl);
  await staff.signOut();
  await expect(page.getByRole("status")).toHaveText("You have signed out.");
  await context.addCookies(copied);
  await staff.open(path);
  await expect(heading("Sign in")).toBeVisible();
  expect((await page.goto(`${bank.webUrl}/staff`))?.status()).toBe(404);
  for (const of of ["/permissions", "/", "/auth", "/staff/nothing"]) {
    expect((await staff.open(of))?.status(), of).toBe(404);
  }
});

test("H3: a form that no page of this session has sent changes nothing", async ({ bank, page }) => {
  const staff = staffAt(page, bank.staffUrl);
  await staff.signIn("radu");
  const token = await page.locator('form[action="/staff/sign-out"] input[name=token]').inputValue();
  const post = (form: Readonly<Record<string, string>>, site: string) =>
    page.request.post(`${bank.staffUrl}/staff/sign-out`, {
      ...{ form, headers: { "sec-fetch-site": site }, maxRedirects: 0 },
    });
  for (const site of ["cross-site", "same-site", "none"]) await post({ token }, site);
  await post({ token: "made-up" }, "same-origin");
  await staff.open("/staff/search");
  const own = page.locator('form[action="/staff/search/find"] input[name=token]');
  await post({ token: await own.inputValue() }, "same-origin");
  await staff.open("/staff");
  await expect(page.getByText("Radu Munteanu (approver, auditor)")).toBeVisible();
  await post({ token }, "same-origin");
  await staff.open("/staff");
  await expect(page.getByRole("heading", { name: "Sign in", exact: true })).toBeVisible();
});

test("an auditor sees what was recorded in an hour, a page at a time", async ({ bank, page }) => {
  await staffAt(page, bank.staffUrl).signIn("radu");
  await page.getByRole("link", { name: "Events" }).click();
  const hour = `${new Date().toISOString().slice(0, 10)}T`;
  await expect(page.getByRole("row").nth(1)).toContainText(hour);
  await page.getByLabel("Kind").selectOption("staff-signed-in");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("row").nth(1)).toContainText("staff-signed-in");
  await expect(page.getByRole("row").filter({ hasText: "server-started" })).toHaveCount(0);
  await page.getByLabel("Filter").fill("nothing of this kind");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("There is nothing to show.")).toBeVisible();
  await expectAccessible(page);
});
