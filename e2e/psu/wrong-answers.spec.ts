import type { Locator } from "@playwright/test";
import { granted } from "@/clients/typescript/src";
import { expectAccessibleInLight } from "../harness/accessible";
import { bankCommand } from "../harness/bank-command";
import { later } from "../harness/bank-time";
import { expect, test } from "../harness/clock-test";
import { formOf, post } from "../harness/forms";
import type { Psu } from "../harness/psu";
import type { Asked, TestTpp } from "../harness/test-tpp";

// A PSU's failures count in all requests, so these specs have a bank of their own and clear up.
test.afterEach(async ({ bank }) => {
  await bankCommand(bank, "psu", "unlock", "mihai");
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
  newTpp,
  psu,
}) => {
  // Of a TPP that has had accounts before, these are ticked.
  const tpp = await newTpp();
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

/** As the page's form, sent again and again; the page then says what came of the last. */
async function sendWrong(psu: Psu, button: Locator, count: number, answer: object): Promise<void> {
  const form = await formOf(button);
  for (let tries = 0; tries < count; tries += 1) {
    const sent = await post(psu.page, { ...form, fields: { ...form.fields, ...answer } });
    expect(sent.status()).toBe(303);
  }
  await psu.page.reload();
  await expect(psu.page).toHaveTitle(/^Error: /);
}

const wrongPasswords = (psu: Psu, count: number) =>
  sendWrong(psu, psu.continueButton, count, { userId: "mihai", password: "wrong" });
const wrongCodes = (psu: Psu, count: number, code: string) =>
  sendWrong(psu, psu.confirmButton, count, { code });

async function expectBlocked(psu: Psu): Promise<void> {
  await expect(psu.page.getByRole("heading", { level: 1 })).toContainText("blocked");
  await expect(psu.wayBack).toBeVisible();
}

/** The page that says so leads back to the TPP, which learns no reason. */
async function expectRefused(psu: Psu, tpp: TestTpp, asked: Asked): Promise<void> {
  await psu.wayBack.click();
  await expectRejected(tpp, asked, tpp.nokRedirectUri);
}

test("RTS 4(3)(b): the fifth wrong password blocks the PSU, rejects the consent and leads to the Nok URI", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await wrongPasswords(psu, 4);
  await expect(psu.page.getByText("One try is left").first()).toBeVisible();
  await psu.signIn("mihai", "wrong");
  await expectBlocked(psu);
  await expectRefused(psu, tpp, asked);
});

test("RTS 4(3)(b): wrong passwords and wrong codes count together, over two requests of two TPPs", async ({
  tpp,
  psu,
  newTpp,
}) => {
  const other = await newTpp();
  await psu.open((await other.ask()).request.url);
  await wrongPasswords(psu, 2);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const wrong = otherThan(await psu.codeFor("mihai", tpp.name));
  await wrongCodes(psu, 2, wrong);
  await psu.confirm(wrong);
  await expectBlocked(psu);
  await expectRefused(psu, tpp, asked);
});

test("P5: parallel guesses do not outrun the limit: after 20 wrong ones the right code is too late", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const code = await psu.codeFor("mihai", tpp.name);
  const form = await formOf(psu.confirmButton);
  const guess = (typed: string) =>
    post(psu.page, { ...form, fields: { ...form.fields, code: typed } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => guess(otherThan(code))));
  for (const answer of answers) expect(answer.status()).toBe(303);
  await guess(code);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("rejected");
});

test("P5: a block by wrong passwords holds in every request for 15 minutes, each time; by codes until the bank lifts it", async ({
  tpp,
  psu,
  clock,
  bank,
}) => {
  const visit = async () => {
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    return asked;
  };
  const start = later(new Date(), { days: 2 });
  for (const minutes of [0, 20]) {
    await clock.set(later(start, { minutes }));
    await visit();
    await wrongPasswords(psu, 4);
    await psu.signIn("mihai", "wrong");
    await expectBlocked(psu);
    await clock.set(later(start, { minutes: minutes + 14 }));
    await visit();
    await psu.signIn("mihai");
    await expectBlocked(psu);
  }

  for (const minutes of [40, 60]) {
    await clock.set(later(start, { minutes }));
    await visit();
    await psu.signIn("mihai");
    await psu.chooseAll();
    const wrong = otherThan(await psu.codeFor("mihai", tpp.name));
    await wrongCodes(psu, 4, wrong);
    await psu.confirm(wrong);
    await expectBlocked(psu);
  }
  await clock.set(later(start, { days: 20 }));
  await visit();
  await psu.signIn("mihai");
  await expectBlocked(psu);

  expect(await bankCommand(bank, "psu", "unlock", "mihai")).toContain("mihai may sign in");
  const asked = await visit();
  await psu.agree("mihai", tpp.name);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});
