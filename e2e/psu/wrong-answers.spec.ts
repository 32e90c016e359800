import { granted } from "@/cli/tpp/reply";
import { expectAccessible } from "../harness/accessible";
import { expect, test } from "../harness/clock-test";
import type { Psu } from "../harness/psu";
import type { Asked, TestTpp } from "../harness/test-tpp";
import { unlock } from "../harness/unlock";

// A PSU's failures count in all requests, so these specs have a bank of their own and clear up.
test.afterEach(async ({ bank }) => {
  await unlock(bank, "mihai");
});

const otherThan = (code: string) => code.replace(/.$/, (last) => String((Number(last) + 1) % 10));
const problem = (psu: Psu) => psu.page.getByRole("alert");

async function expectEnded(tpp: TestTpp, asked: Asked, uri: string) {
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(uri);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  const { scaStatus } = granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId));
  expect({ consentStatus, scaStatus }).toEqual({ consentStatus: "rejected", scaStatus: "failed" });
}

test("a wrong password asks again, with the user ID as typed, and the right one goes on", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai", "wrong");
  await expect(problem(psu).first()).toBeVisible();
  await expect(psu.page).toHaveTitle(/^Error: /);
  await expect(psu.fields.userId).toHaveValue("mihai");
  await expect(psu.fields.password).toHaveValue("");
  await psu.agree("mihai", tpp.name);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("RTS 4(3)(a): an unknown user ID and a wrong password get the same page, word for word", async ({
  tpp,
  psu,
}) => {
  const texts: string[] = [];
  for (const userId of ["mihai", "nobody"]) {
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.signIn(userId, "wrong");
    await expect(psu.page).toHaveTitle(/^Error: /);
    const text = String(await psu.page.getByRole("main").textContent());
    expect(text).toContain("do not match");
    texts.push(text.replaceAll(/\d\d:\d\d/g, "<time>"));
  }
  expect(texts[0]).toBe(texts[1]);
});

test("an empty user ID or password asks again and costs no attempt", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  for (let tries = 0; tries < 6; tries += 1) {
    await psu.continueButton.click();
    await expect(psu.page).toHaveTitle(/^Error: /);
  }
  await psu.agree("mihai", tpp.name);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

for (const withNok of [true, false]) {
  const where = withNok ? "the Nok URI" : "the redirect URI where there is no Nok URI";
  test(`RTS 4(3)(b): the fifth try, whoever's, rejects the consent and leads to ${where}`, async ({
    tpp,
    psu,
  }) => {
    const asked = await tpp.ask(undefined, withNok);
    await psu.open(asked.request.url);
    for (const userId of ["one", "two", "three", "four"]) {
      await psu.signIn(userId, "wrong");
      await expect(psu.page).toHaveTitle(/^Error: /);
    }
    await psu.signIn("five", "wrong");
    await expectEnded(tpp, asked, withNok ? tpp.nokRedirectUri : tpp.redirectUri);
  });
}

test("no account chosen asks again", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await expect(psu.fields.accounts.first()).toBeVisible();
  await psu.continueButton.click();
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.chooseAll();
});

test("a wrong code asks again, and the right one goes on", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const code = await psu.codeFor("mihai", tpp.name);
  await psu.confirm(otherThan(code));
  await expect(psu.page).toHaveTitle(/^Error: /);
  await expect(psu.fields.code).toHaveValue("");
  await psu.confirm(code);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("what cannot be a code asks again and costs no attempt", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  for (const typed of ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"]) {
    await psu.confirm(typed);
    await expect(psu.page).toHaveTitle(/^Error: /);
  }
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("P6: a new code makes the earlier one worthless", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const first = await psu.codeFor("mihai", tpp.name);
  await psu.page.getByRole("button", { name: "Send a new code" }).click();
  await expect(psu.page.getByText("A new code was sent")).toBeVisible();
  const second = await psu.codeFor("mihai", tpp.name);
  test.skip(second === first, "one in a million");
  await psu.confirm(first);
  await expect(psu.page).toHaveTitle(/^Error: /);
  await psu.confirm(second);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("a code that has run out is told before it is typed, and a new one confirms", async ({
  tpp,
  psu,
  clock,
}) => {
  const { page } = psu;
  const told = page.getByText("This code has run out. Send a new one.");
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const code = await psu.codeFor("mihai", tpp.name);
  await clock.advance("PT4M30S");
  await page.reload();
  await expect(told).toHaveCount(0);
  await clock.advance("PT1M");
  await page.reload();
  await expect(told).toBeVisible();
  await expectAccessible(page);
  await psu.confirm(code);
  await expect(page).toHaveTitle(/^Error: /);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send a new code" }).click();
  await expect(page.getByText("A new code was sent")).toBeVisible();
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("P6: the code of one authorisation does not confirm another", async ({ tpp, psu, newTpp }) => {
  const other = await newTpp();
  const first = await other.ask();
  await psu.open(first.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const foreign = await psu.codeFor("mihai", other.name);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  test.skip((await psu.codeFor("mihai", tpp.name)) === foreign, "one in a million");
  await psu.confirm(foreign);
  await expect(psu.page).toHaveTitle(/^Error: /);
});

test("P7: the code stands for the accounts on the page: another selection asks for another code", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.choose("Current account");
  const first = await psu.codeFor("ana", tpp.name);
  await psu.page.getByRole("link", { name: "Change accounts" }).click();
  await psu.choose("Household account");
  test.skip((await psu.codeFor("ana", tpp.name)) === first, "one in a million");
  await psu.confirm(first);
  await expect(psu.page).toHaveTitle(/^Error: /);
});
