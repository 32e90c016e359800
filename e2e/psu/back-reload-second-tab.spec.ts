import { granted } from "@/clients/typescript/src";
import { formOf, post } from "../harness/forms";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";

test("a reload and the back button show the question that fits, and the flow goes on; after the end there is nothing to answer", async ({
  tpp,
  psu,
}) => {
  const { page, fields } = psu;
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await page.reload();
  await psu.signIn("ana");
  await expect(fields.accounts.first()).toBeVisible();
  await page.reload();
  await expect(fields.accounts.first()).toBeVisible();
  await page.goBack();
  await psu.open(asked.request.url);
  await expect(fields.password.or(fields.accounts.first())).toBeVisible();
  if (await fields.password.isVisible()) await psu.signIn("ana");
  await psu.choose("Current account");
  await page.reload();
  await expect(fields.code).toBeVisible();
  await page.goBack();
  await expect(fields.accounts.first().or(fields.code)).toBeVisible();
  if (!(await fields.code.isVisible())) await psu.chooseAll();
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  const cameBack = await tpp.listener.next(60_000);
  expect((await asked.server.token(cameBack, asked.request)).accessToken).toBeDefined();

  await psu.isBackAt(cameBack);
  await page.goBack();
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expect(fields.code).toHaveCount(0);
  await expect(page.getByText("went wrong")).toHaveCount(0);
});

test("the link of the TPP opened a second time: the second tab goes on where the first one is", async ({
  tpp,
  psu,
  context,
  bank,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const [second, third] = [
    psuAt(await context.newPage(), bank.webUrl),
    psuAt(await context.newPage(), bank.webUrl),
  ];
  await third.page.goto(psu.page.url());
  await second.open(asked.request.url);
  await expect(second.fields.code).toBeVisible();
  await second.confirm(await second.codeFor("mihai", tpp.name));
  const { accessToken } = await tpp.collect(asked);
  const permission = { consentId: asked.consentId, accessToken };
  granted(await tpp.bank.accounts(permission));

  await psu.page.reload();
  const confirmed = psu.page.getByRole("heading", { name: /already confirmed/i });
  await expect(confirmed.or(psu.page.getByText("You can close this window"))).toBeVisible();
  await expect(psu.fields.code).toHaveCount(0);
  granted(await tpp.bank.accounts(permission));

  await test.step("P8: Cancel in one tab after Confirm in another takes nothing back", async () => {
    await third.cancel();
    granted(await tpp.bank.accounts(permission));
  });
});

test("the same page in a second tab: what the first tab did late is answered with where things stand", async ({
  tpp,
  psu,
  context,
  bank,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.page.goto(psu.page.url());
  await second.signIn("mihai");
  await expect(second.fields.accounts.first()).toBeVisible();
  await psu.signIn("mihai");
  await psu.chooseAll();
  await second.chooseAll();
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("P8: Confirm twice at once is one yes: the consent is valid and one code is worth a token", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const form = await formOf(psu.confirmButton);
  const code = await psu.codeFor("mihai", tpp.name);
  const filled = { ...form, fields: { ...form.fields, code } };
  const answers = await Promise.all([post(psu.page, filled), post(psu.page, filled)]);
  for (const answer of answers) expect(answer.status()).toBe(303);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("valid");
  await psu.page.goto(new URL(String(answers[0]?.headers()["location"]), form.action).href);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("P1: two browsers with each other's addresses cannot answer for each other", async ({
  tpp,
  psu,
  browser,
  bank,
}) => {
  const [mine, theirs] = [await tpp.ask(), await tpp.ask()];
  const stranger = psuAt(await browser.newPage(), bank.webUrl);
  await psu.open(mine.request.url);
  await stranger.open(theirs.request.url);
  const [myPage, theirPage] = [psu.page.url(), stranger.page.url()];
  const form = await formOf(psu.continueButton);
  expect((await stranger.page.goto(myPage))?.status()).toBe(404);
  await expect(stranger.page.getByRole("heading", { name: /no longer open/i })).toBeVisible();
  const fields = { ...form.fields, userId: "mihai", password: "mihai-sandbox" };
  await post(stranger.page, { ...form, fields });
  const { scaStatus } = granted(await tpp.bank.scaStatus(mine.consentId, mine.authorisationId));
  expect(scaStatus).toBe("received");
  await psu.page.goto(theirPage);
  for (const one of [psu, stranger]) await expect(one.fields.password).toHaveCount(0);
  await stranger.page.context().close();
});

test("P1: the consent is bound to the first PSU who signs in, and no other browser is handed a code for it", async ({
  tpp,
  psu,
  browser,
  bank,
}) => {
  const asked = await tpp.ask();
  const other = psuAt(await browser.newPage(), bank.webUrl);
  await other.open(asked.request.url);
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await expect(psu.fields.accounts.first()).toBeVisible();
  await other.signIn("elena");
  await expect(other.page).toHaveTitle(/^Error: /);
  await expect(other.fields.accounts).toHaveCount(0);
  await psu.chooseAll();
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();

  await other.page.reload();
  await expect(other.page.getByRole("heading", { name: /already confirmed/i })).toBeVisible();
  await other.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.has("code")).toBe(false);
  await other.page.context().close();
});
