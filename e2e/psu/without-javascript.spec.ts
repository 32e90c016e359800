import { randomUUID } from "node:crypto";
import { granted } from "@/clients/typescript/src";
import { expectReflow } from "../harness/accessible";
import { outcomesAt } from "../harness/outcomes";
import { ownChannelAt } from "../harness/own-channel";
import { expect, test } from "../harness/test";

test.use({ javaScriptEnabled: false });

test("a choice of accounts, a wrong password and a wrong code work without JavaScript", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana", "wrong");
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.signIn("ana");
  await psu.choose("Household account");
  const code = await psu.codeFor("ana", tpp.name);
  await psu.confirm(code === "000000" ? "000001" : "000000");
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.confirm(code);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("P10, P15: Cancel works without JavaScript, and the browser follows it to the Nok URI", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.cancel();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.pathname).toBe("/nok");
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
});

test("P16: what the PSU refuses of a TPP ends its request as soon as they sign in, and it gets access_denied once", async ({
  newTpp,
  psu,
  bank,
}) => {
  const tpp = await newTpp();
  await tpp.ask();
  const { page } = psu;
  await page.setViewportSize({ width: 320, height: 640 });
  await ownChannelAt(page, bank.webUrl).signIn("elena");
  const refusals = `${bank.webUrl}/permissions/refusals?tpp=${tpp.id}`;
  await page.goto(refusals);
  await page.getByRole("button", { name: "Refuse to share account information" }).click();
  await expect(page.getByRole("status")).toContainText("the bank refuses such requests");
  await expectReflow(page);

  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("elena");
  const heading = page.getByRole("heading", { name: "You do not want to be asked for this" });
  await expect(heading).toBeVisible();
  await psu.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  await psu.isBackAt(cameBack);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("rejected");

  await page.goto(refusals);
  await page.getByRole("button", { name: "Allow such requests again" }).click();
  await expect(page.getByText("You refuse nothing.")).toBeVisible();
});

test("P5: who is blocked, or has to wait, is told without JavaScript what else can be done", async ({
  psu: { page },
  bank,
}) => {
  const own = ownChannelAt(page, bank.webUrl);
  const outcomes = outcomesAt(page, bank);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${bank.webUrl}/sign-in`);
  const stranger = `nobody.${randomUUID()}`;
  for (let tries = 0; tries < 5; tries += 1) await own.typePassword(stranger, "wrong");
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByText("Try again in 15 minutes").first()).toBeVisible();
  await expect(page.getByText("without passkeys or JavaScript, wait or call")).toBeVisible();
  await expect(page.getByRole("button", { name: "Unlock with your passkey" })).toHaveCount(0);
  await expectReflow(page);

  await outcomes.atSignIn({ outcome: "too-soon", waitSeconds: 15 });
  await expect(page.getByText("Wait 15 seconds, then try again").first()).toBeVisible();
  await expectReflow(page);
  await outcomes.atSignIn({ outcome: "busy" });
  await expect(page.getByText("Try again in a few seconds").first()).toBeVisible();
  await expectReflow(page);
  // After waiting nothing else is asked.
  await own.typePassword("ana");
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
});
