import { readFile } from "node:fs/promises";
import { granted } from "@/clients/typescript/src";
import { expectAccessibleInLight } from "../harness/accessible";
import { authoriseFunds, fundsQuestion } from "../harness/funds";
import { ownChannelAt } from "../harness/own-channel";
import { instant } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { expect, test } from "../harness/test";

const UNKNOWN = "/permissions/accounts/3f7c2b7e-5d53-4f2e-9d59-0a6a2f6f3c11";

test("the PSU sees what was read, attended or not, ends it, and the TPP's next call is refused", async ({
  newTpp,
  authorise,
  bank,
  browser,
}) => {
  const tpp = await newTpp();
  const grant = await authorise(tpp);
  const [account] = granted(await tpp.bank.accounts(grant)).accounts;
  if (account === undefined) throw new Error("no account");
  granted(await tpp.unattended.balances(grant, account.resourceId));
  expect((await tpp.unattended.balances(grant, UNKNOWN.slice(-36))).ok).toBe(false);

  const context = await browser.newContext({ viewport: { width: 320, height: 800 } });
  const page = await context.newPage();
  const own = ownChannelAt(page, bank.webUrl);
  const path = `/permissions/accounts/${grant.consentId}`;
  await own.signIn("ana", path);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(tpp.name);
  const lines = page.getByRole("row");
  await expect(lines).toHaveCount(3);
  await expect(lines.nth(1)).toContainText(/Balances.*RO\d{2}.*Without you/s);
  await expect(lines.nth(2)).toContainText(/List of accounts.*While you were using it/s);
  await expectAccessibleInLight(page);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the access history (CSV)" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file.split("\r\n")[1]).toMatch(
    new RegExp(`^"[^"]+","${tpp.name}","${tpp.id}","Balances","[^"]*RO\\d{2}[^"]*","Without you"$`),
  );

  await page.getByRole("link", { name: "End this permission" }).click();
  const end = page.getByRole("button", { name: "End permission" });
  await expect(end).toBeVisible();
  await expectAccessibleInLight(page);
  await end.click();
  await expect(page.getByRole("status")).toContainText("The permission has ended.");
  await expect(page.getByText("Ended by you")).toBeVisible();
  await expect(page.getByText(`To use “${tpp.name}” again, start there`)).toBeVisible();
  await page.getByRole("button", { name: "Română" }).click();
  await expect(page.getByText("Un acces încheiat nu mai poate fi reluat.")).toBeVisible();
  await page.getByRole("button", { name: "English" }).click();
  expectRefusal(await tpp.bank.accounts(grant), 401, "CONSENT_INVALID");
  const { refreshToken } = grant.token;
  if (refreshToken === undefined) throw new Error("no refresh token");
  await expect(grant.asked.server.refresh(refreshToken)).rejects.toMatchObject({
    error: "invalid_grant",
  });

  await page.getByRole("link", { name: "All permissions" }).click();
  await expect(await own.find(tpp.name)).toContainText("Ended by you");
  await expectAccessibleInLight(page);
  await page.getByRole("link", { name: `Refuse requests of “${tpp.name}”` }).click();
  await page.getByRole("button", { name: "Refuse payments that others prepare" }).click();
  await expect(page.getByRole("heading", { name: `Payments: “${tpp.name}”` })).toBeVisible();
  await expectAccessibleInLight(page);
  await context.close();
});

test("funds consents and payments are there too, and all of it can be downloaded", async ({
  newTpp,
  psu,
  bank,
}) => {
  const tpp = await newTpp();
  const funds = await authoriseFunds({ tpp, psu });
  granted(await tpp.bank.confirmFunds(funds, fundsQuestion()));
  const asked = await tpp.askToPay(instant({ creditorName: "=Popescu & fiii" }));
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  await psu.cancel();
  await psu.isBackAt(await tpp.listener.next(60_000));

  const own = ownChannelAt(psu.page, bank.webUrl);
  await own.signIn("ana");
  await expect((await own.find(tpp.name)).first()).toContainText("Confirmation of funds");
  const paid = `/permissions/payments/${asked.paymentId}`;
  await psu.page.goto(bank.webUrl + paid);
  await expect(psu.term("Status")).toHaveText("Never confirmed");
  await expect(psu.term("Amount")).toHaveText("25.00 RON");
  await psu.page.goto(`${bank.webUrl}/permissions`);
  const download = psu.page.waitForEvent("download");
  await psu.page.getByRole("link", { name: "Download the whole list (CSV)" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file.startsWith("\ufeff")).toBe(true);
  const rows = file.split("\r\n").filter((line) => line.includes(tpp.id));
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain('"25.00 RON","“=Popescu & fiii”, RO54DRWB0001000000000401"');
  expect(rows[1]).toContain('"Confirmation of funds","Active"');

  await psu.page.goto(`${bank.webUrl}/permissions/funds/${funds.consentId}/revoke`);
  await psu.page.getByRole("button", { name: "End permission" }).click();
  await expect(psu.page.getByRole("status")).toContainText("The permission has ended.");
  expectRefusal(await tpp.bank.confirmFunds(funds, fundsQuestion()), 401, "CONSENT_INVALID");
});

test("P12: sign-out kills a copied cookie; P14: nothing of it is kept by the browser", async ({
  page,
  bank,
  browser,
  shared,
}) => {
  const own = ownChannelAt(page, bank.webUrl);
  await page.goto(`${bank.webUrl}/permissions`);
  await expectAccessibleInLight(page);
  await own.typePassword("mihai");
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await expectAccessibleInLight(page);
  await page.getByRole("button", { name: "Start again" }).click();
  await own.signIn("mihai");
  const copied = await page.context().cookies();
  const thief = await browser.newContext();
  await thief.addCookies(copied);
  const there = await thief.newPage();
  const answer = await there.goto(`${bank.webUrl}/permissions`);
  expect(answer?.headers()["cache-control"]).toBe("no-store");
  await expect(there.getByRole("heading", { name: "Your permissions" })).toBeVisible();

  // Nothing of ana's is mihai's to see: the same as what does not exist.
  for (const path of [`/permissions/accounts/${shared.grant.consentId}`, UNKNOWN]) {
    for (const rest of ["", "/revoke", "/history.csv"]) {
      const found = await page.goto(bank.webUrl + path + rest);
      expect(found?.status()).toBe(404);
      await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    }
  }

  await page.goto(`${bank.webUrl}/permissions`);
  await own.signOut();
  await expectAccessibleInLight(page);
  for (const path of ["/permissions", "/permissions/permissions.csv"]) {
    await there.goto(bank.webUrl + path);
    await expect(there.getByRole("heading", { name: "Sign in again" })).toBeVisible();
  }
  await thief.close();
});

test("signing in works without JavaScript, at 320 px, and tells of neither element which was wrong", async ({
  browser,
  bank,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 800 },
  });
  const page = await context.newPage();
  const own = ownChannelAt(page, bank.webUrl);
  await page.goto(`${bank.webUrl}/permissions`);
  await own.typePassword("nobody-signs-in", "wrong");
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByRole("alert")).toContainText("User ID and password do not match.");
  await own.typePassword("elena");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the code from the text message.");
  await page.getByRole("button", { name: "Română" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Introduceți codul de autentificare",
  );
  await page.getByRole("button", { name: "English" }).click();
  await page.getByLabel("Code", { exact: true }).fill(await own.code("elena"));
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Your permissions" })).toBeVisible();
  await context.close();
});
