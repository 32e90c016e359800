import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { askForFunds } from "../harness/asking-for-funds";
import { ANA_CURRENT, crossBorder } from "../harness/payment-request";
import { expect, test } from "../harness/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

const longest = () =>
  crossBorder({
    debtorAccount: { iban: ANA_CURRENT },
    instructedAmount: { currency: "EUR", amount: "14999.99" },
    creditorName: "W".repeat(70),
    remittanceInformationUnstructured: "W".repeat(140),
  });

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("WCAG 2.2 AA: the pages of a payment, with and without errors", async ({ tpp, psu }) => {
      const asked = await tpp.askToPay(longest());
      await psu.open(asked.request.url);
      await expectAccessible(psu.page);
      await psu.signInToCode("ana");
      await expectAccessible(psu.page);
      await psu.confirm("12");
      await expect(psu.page).toHaveTitle(/^Error: /);
      await expectAccessible(psu.page);
    });

    test("WCAG 2.2 AA: the pages of a funds consent, and of an account that is another's", async ({
      tpp,
      psu,
    }) => {
      const asked = await askForFunds(tpp, { cardNumber: "5409050000001234" });
      await psu.open(asked.request.url);
      await psu.signInToCode("ana");
      await expectAccessible(psu.page);
      await psu.open((await askForFunds(tpp)).request.url);
      await psu.signIn("mihai");
      await expect(psu.wayBack).toBeVisible();
      await expectAccessible(psu.page);
    });
  });
}

test("WCAG 1.4.10: at a width of 320 px nothing is cut off, however long the texts are", async ({
  tpp,
  psu,
}) => {
  await psu.page.setViewportSize({ width: 320, height: 640 });
  const asked = await tpp.askToPay(longest());
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  const overflow = () =>
    psu.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await psu.open((await askForFunds(tpp, { cardInformation: "W".repeat(140) })).request.url);
  await psu.signInToCode("ana");
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test("a payment can be authorised by keyboard", async ({ tpp, psu }) => {
  const asked = await tpp.askToPay();
  await psu.open(asked.request.url);
  const { keyboard } = psu.page;
  await psu.fields.userId.focus();
  await keyboard.type("ana");
  await keyboard.press("Tab");
  await keyboard.type("ana-sandbox");
  await keyboard.press("Enter");
  await psu.fields.code.focus();
  await keyboard.type(await psu.codeFor("ana", tpp.name));
  await keyboard.press("Enter");
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});
