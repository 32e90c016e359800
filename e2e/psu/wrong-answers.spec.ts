import { granted } from "@/cli/tpp/reply";
import { expectAccessibleInLight } from "../harness/accessible";
import { expect, test } from "../harness/clock-test";
import type { Asked, TestTpp } from "../harness/test-tpp";
import { unlock } from "../harness/unlock";

// A PSU's failures count in all requests, so these specs have a bank of their own and clear up.
test.afterEach(async ({ bank }) => {
  await unlock(bank, "mihai");
});

const otherThan = (code: string) => code.replace(/.$/, (last) => String((Number(last) + 1) % 10));

async function expectRejected(tpp: TestTpp, asked: Asked, uri: string) {
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(uri);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  const { scaStatus } = granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId));
  expect({ consentStatus, scaStatus }).toEqual({ consentStatus: "rejected", scaStatus: "failed" });
}

test("what is missing, malformed or wrong is asked again, and the right answer goes on", async ({
  tpp,
  psu,
}) => {
  const { page, fields } = psu;
  const isAskedAgain = () => expect(page).toHaveTitle(/^Error: /);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await test.step("an empty user ID or password costs no attempt", async () => {
    for (let tries = 0; tries < 6; tries += 1) {
      await psu.continueButton.click();
      await isAskedAgain();
    }
  });
  await test.step("after a wrong password the user ID is as it was typed", async () => {
    await psu.signIn("mihai", "wrong");
    await expect(page.getByRole("alert").first()).toContainText("do not match");
    await isAskedAgain();
    await expect(fields.userId).toHaveValue("mihai");
    await expect(fields.password).toHaveValue("");
  });
  await psu.signIn("mihai");
  await test.step("no account chosen", async () => {
    await expect(fields.accounts.first()).toBeVisible();
    await psu.continueButton.click();
    await isAskedAgain();
  });
  await psu.chooseAll();
  await test.step("what cannot be a code costs no attempt", async () => {
    for (const typed of ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"]) {
      await psu.confirm(typed);
      await isAskedAgain();
    }
  });
  const first = await psu.codeFor("mihai", tpp.name);
  await test.step("a wrong code", async () => {
    await psu.confirm(otherThan(first));
    await isAskedAgain();
    await expect(fields.code).toHaveValue("");
  });
  await test.step("P6: a new code makes the earlier one worthless", async () => {
    await page.getByRole("button", { name: "Send a new code" }).click();
    await expect(page.getByText("A new code was sent")).toBeVisible();
    test.skip((await psu.codeFor("mihai", tpp.name)) === first, "one in a million");
    await psu.confirm(first);
    await isAskedAgain();
  });
  await psu.confirm(await psu.codeFor("mihai", tpp.name));
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

test("RTS 4(3)(b): the fifth try, of any user ID, rejects the consent and leads to the redirect URI where there is no Nok URI", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask(undefined, false);
  await psu.open(asked.request.url);
  for (const userId of ["one", "two", "three", "four"]) {
    await psu.signIn(userId, "wrong");
    await expect(psu.page).toHaveTitle(/^Error: /);
  }
  await psu.signIn("five", "wrong");
  await expectRejected(tpp, asked, tpp.redirectUri);
});

test("a code that has run out is shown as such before it is typed, and a new one confirms", async ({
  tpp,
  psu,
  clock,
}) => {
  const { page } = psu;
  const hasRunOut = page.getByText("This code has run out. Send a new one.");
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const code = await psu.codeFor("mihai", tpp.name);
  await clock.advance("PT4M30S");
  await page.reload();
  await expect(hasRunOut).toHaveCount(0);
  await clock.advance("PT1M");
  await page.reload();
  await expect(hasRunOut).toBeVisible();
  await expectAccessibleInLight(page);
  await psu.confirm(code);
  await expect(page).toHaveTitle(/^Error: /);
  await expectAccessibleInLight(page);
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
