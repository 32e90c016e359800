import { granted } from "@/cli/tpp/reply";
import { formOf, post } from "../harness/forms";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";

test("a reload of any page shows the same question again", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.page.reload();
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  await psu.page.reload();
  await psu.choose("Current account");
  await expect(psu.fields.code).toBeVisible();
  await psu.page.reload();
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("the back button on any page shows the question that fits, and the flow goes on", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  await psu.page.goBack();
  await psu.open(asked.request.url);
  await expect(psu.fields.password.or(psu.fields.accounts.first())).toBeVisible();
  if (await psu.fields.password.isVisible()) await psu.signIn("ana");
  await psu.chooseAll();
  await psu.page.goBack();
  await expect(psu.fields.accounts.first().or(psu.fields.code)).toBeVisible();
  if (!(await psu.fields.code.isVisible())) await psu.chooseAll();
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("the back button after the end offers nothing to answer, and no page of an error of ours", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree("mihai", tpp.name);
  await psu.isBackAt(await tpp.listener.next(60_000));
  await psu.page.goBack();
  await expect(psu.page.getByRole("heading").first()).toBeVisible();
  await expect(psu.fields.code).toHaveCount(0);
  await expect(psu.page.getByText("went wrong")).toHaveCount(0);
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
  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.open(asked.request.url);
  await expect(second.fields.code).toBeVisible();
  await second.confirm(await second.codeFor("mihai", tpp.name));
  const { accessToken } = await tpp.collect(asked);
  granted(await tpp.bank.accounts({ consentId: asked.consentId, accessToken }));

  await psu.page.reload();
  const confirmed = psu.page.getByRole("heading", { name: /already confirmed/i });
  await expect(confirmed.or(psu.page.getByText("You can close this window"))).toBeVisible();
  await expect(psu.fields.code).toHaveCount(0);
  granted(await tpp.bank.accounts({ consentId: asked.consentId, accessToken }));
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

test("P8: Cancel in one tab after Confirm in another takes nothing back", async ({
  tpp,
  psu,
  context,
  bank,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.page.goto(psu.page.url());
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
  const { accessToken } = await tpp.collect(asked);
  await second.cancel();
  granted(await tpp.bank.accounts({ consentId: asked.consentId, accessToken }));
});

test("P1: another browser with the page's address finds no page, and cannot answer it", async ({
  tpp,
  psu,
  browser,
  bank,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const stranger = psuAt(await browser.newPage(), bank.webUrl);
  await stranger.page.goto(psu.page.url());
  await expect(stranger.page.getByRole("heading", { name: /no longer open/i })).toBeVisible();
  await expect(stranger.fields.password).toHaveCount(0);
  const form = await formOf(psu.continueButton);
  const fields = { ...form.fields, userId: "mihai", password: "mihai-sandbox" };
  await post(stranger.page, { ...form, fields });
  const { scaStatus } = granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId));
  expect(scaStatus).toBe("received");
  await stranger.page.context().close();
});

test("P1: two browsers with each other's addresses cannot answer for each other", async ({
  tpp,
  psu,
  browser,
  bank,
}) => {
  const [mine, theirs] = [await tpp.ask(), await tpp.ask()];
  const other = psuAt(await browser.newPage(), bank.webUrl);
  await psu.open(mine.request.url);
  await other.open(theirs.request.url);
  const [myPage, theirPage] = [psu.page.url(), other.page.url()];
  await psu.page.goto(theirPage);
  await other.page.goto(myPage);
  for (const { fields } of [psu, other]) await expect(fields.password).toHaveCount(0);
  await other.page.context().close();
});

test("P1: the consent is bound to the first PSU who signs in; nobody else can take it over", async ({
  tpp,
  psu,
  browser,
  bank,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await expect(psu.fields.accounts.first()).toBeVisible();
  const other = psuAt(await browser.newPage(), bank.webUrl);
  await other.open(asked.request.url);
  await other.signIn("elena");
  await expect(other.page).toHaveTitle(/^Error: /);
  await expect(other.fields.accounts).toHaveCount(0);
  await psu.chooseAll();
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
  await other.page.context().close();
});

test("P1: a second browser that opened the link before is not handed a code for what the first confirmed", async ({
  tpp,
  psu,
  browser,
  bank,
}) => {
  const asked = await tpp.ask();
  const other = psuAt(await browser.newPage(), bank.webUrl);
  await other.open(asked.request.url);
  await psu.open(asked.request.url);
  await psu.agree("mihai", tpp.name);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
  await other.page.reload();
  await expect(other.page.getByRole("heading", { name: /already confirmed/i })).toBeVisible();
  await other.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.has("code")).toBe(false);
  await other.page.context().close();
});
