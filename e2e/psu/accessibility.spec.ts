import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("WCAG 2.2 AA: every page of the journey, with and without errors", async ({
      tpp,
      psu,
    }) => {
      const asked = await tpp.ask();
      await psu.open(asked.request.url);
      await expectAccessible(psu.page);
      await psu.signIn("ana", "wrong");
      await expect(psu.page).toHaveTitle(/^Error: /);
      await expectAccessible(psu.page);
      await psu.signIn("ana");
      await expect(psu.fields.accounts.first()).toBeVisible();
      await expectAccessible(psu.page);
      await psu.chooseAll();
      await expectAccessible(psu.page);
      await psu.confirm("12");
      await expect(psu.page).toHaveTitle(/^Error: /);
      await expectAccessible(psu.page);
    });

    test("WCAG 2.2 AA: the pages on which nothing is left to answer", async ({
      tpp,
      psu,
      bank,
    }) => {
      const asked = await tpp.ask();
      await psu.open(asked.request.url);
      await psu.signIn("dan");
      await expect(psu.page.getByRole("heading", { name: /nothing to share/i })).toBeVisible();
      await expectAccessible(psu.page);
      for (const path of ["/", "/authorise/unknown", "/sandbox/phone?psu=ana", "/nowhere"]) {
        await psu.page.goto(bank.webUrl + path);
        await expectAccessible(psu.page);
      }
    });
  });
}

test("the whole way can be gone by keyboard", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const { keyboard } = psu.page;
  await psu.fields.userId.focus();
  await keyboard.type("mihai");
  await keyboard.press("Tab");
  await keyboard.type("mihai-sandbox");
  await keyboard.press("Enter");
  await psu.selectAllBox.focus();
  await keyboard.press("Space");
  await keyboard.press("Enter");
  await psu.fields.code.focus();
  await keyboard.type(await psu.codeFor("mihai", tpp.name));
  await keyboard.press("Enter");
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});
