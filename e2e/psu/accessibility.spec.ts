import { expectAccessible, expectReflow } from "../harness/accessible";
import { askForFunds } from "../harness/asking-for-funds";
import { keyboardAt } from "../harness/keyboard";
import { ANA_CURRENT, crossBorder } from "../harness/payment-request";
import type { Psu } from "../harness/psu";
import { expect, test } from "../harness/test";

// What axe says of every page and state is looked up where each of them is pictured: campaigns/screenshots.spec.ts.

/** WCAG 3.3.1: the title says so first, the summary has the focus, and leads to the field. */
async function followErrorSummary(psu: Psu, field: Psu["fields"]["code"]): Promise<void> {
  const keyboard = keyboardAt(psu);
  await expect(psu.page).toHaveTitle(/^Error: /);
  const summary = psu.page.getByRole("alert");
  await expect(summary).toBeFocused();
  await keyboard.tabTo(summary.getByRole("link"));
  await keyboard.press("Enter");
  await expect(field).toBeFocused();
  const described = String(await field.getAttribute("aria-describedby"));
  const atField = psu.page.locator(`#${described.split(" ").at(-1)}`);
  await expect(atField).toContainText(String(await summary.getByRole("link").textContent()));
}

test("WCAG 2.1.1: accounts are shared by keyboard alone, after every error", async ({
  newTpp,
  psu,
}) => {
  // Of a TPP that has had accounts before, these are ticked.
  const tpp = await newTpp();
  const { fields, page } = psu;
  const keyboard = keyboardAt(psu);
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await keyboard.typeInto(fields.userId, "nobody-by-keyboard");
  await keyboard.typeInto(fields.password, "wrong");
  await keyboard.press("Enter");
  await followErrorSummary(psu, fields.userId);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("ana");
  await keyboard.typeInto(fields.password, "ana-sandbox");
  await keyboard.press("Enter");

  // The page before has a button of the same name.
  await expect(fields.accounts.first()).toBeVisible();
  await keyboard.tabTo(psu.continueButton);
  await keyboard.press("Enter");
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByRole("alert")).toBeFocused();
  await keyboard.tabTo(page.getByRole("alert").getByRole("link"));
  await keyboard.press("Enter");
  await expect(fields.accounts.first()).toBeFocused();
  await keyboard.press("Space");
  await keyboard.tabTo(psu.continueButton);
  await keyboard.press("Enter");

  await keyboard.typeInto(fields.code, "12");
  await keyboard.press("Enter");
  await followErrorSummary(psu, fields.code);
  await page.keyboard.type(await psu.codeFor("ana", tpp.name));
  await keyboard.press("Enter");
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("WCAG 2.4.3: a payment is authorised by keyboard alone, in the order in which its pages are read", async ({
  tpp,
  psu,
}) => {
  const { fields, page } = psu;
  const keyboard = keyboardAt(psu);
  const asked = await tpp.askToPay();
  await psu.open(asked.request.url);
  const frame = ["I need more time", "Demo customers and passwords (new tab)"];
  expect(await keyboard.stops()).toEqual([
    "Română",
    "User ID",
    "Password",
    ...yesAndNo("Continue"),
    ...frame,
  ]);
  await page.reload();
  await keyboard.typeInto(fields.userId, "ana");
  await keyboard.typeInto(fields.password, "ana-sandbox");
  await keyboard.press("Enter");
  await expect(fields.code).toBeVisible();
  const another = ["Send a new code", "Open the sandbox phone (new tab)"];
  expect(await keyboard.stops()).toEqual([
    "Română",
    "Code",
    ...another,
    ...yesAndNo("Confirm"),
    ...frame,
  ]);
  await page.reload();
  await keyboard.typeInto(fields.code, await psu.codeFor("ana", tpp.name));
  await keyboard.tabTo(psu.confirmButton);
  await keyboard.press("Space");
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

const yesAndNo = (yes: string) => [yes, "Cancel"];

test("WCAG 1.4.10: at a width of 320 px nothing is cut off, however long the texts are", async ({
  tpp,
  psu,
}) => {
  const { page } = psu;
  await page.setViewportSize({ width: 320, height: 640 });
  const longest = crossBorder({
    debtorAccount: { iban: ANA_CURRENT },
    instructedAmount: { currency: "EUR", amount: "14999.99" },
    creditorName: "W".repeat(70),
    remittanceInformationUnstructured: "W".repeat(140),
  });
  await psu.open((await tpp.askToPay(longest)).request.url);
  await psu.signInToCode("ana");
  await expectReflow(page);
  await expectAccessible(page);
  const card = { cardNumber: "5409050000001234", cardInformation: "W".repeat(140) };
  await psu.open((await askForFunds(tpp, card)).request.url);
  await psu.signInToCode("ana");
  await expectReflow(page);
  await expectAccessible(page);
});
