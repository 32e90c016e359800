import type { Locator } from "@playwright/test";
import { granted } from "@/cli/tpp/reply";
import { later } from "../harness/bank-time";
import { expect, test } from "../harness/clock-test";
import { formOf, post } from "../harness/forms";
import type { Psu } from "../harness/psu";
import type { Asked, TestTpp } from "../harness/test-tpp";
import { unlock } from "../harness/unlock";

// A blocked PSU is blocked for all specs of a bank, so these have one of their own and clear up.
test.afterEach(({ bank }) => unlock(bank, "mihai"));

const otherThan = (code: string) => code.replace(/.$/, (last) => String((Number(last) + 1) % 10));

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
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.nokRedirectUri);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  const { scaStatus } = granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId));
  expect({ consentStatus, scaStatus }).toEqual({ consentStatus: "rejected", scaStatus: "failed" });
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

  expect(await unlock(bank, "mihai")).toContain("mihai may sign in");
  const asked = await visit();
  await psu.agree("mihai", tpp.name);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});
