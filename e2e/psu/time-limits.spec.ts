import type { Page } from "@playwright/test";
import { expectAccessibleInLight } from "../harness/accessible";
import { expect, test } from "../harness/test";

const region = (page: Page) => page.locator("#time-limit");
/** What a screen reader reads out. */
const spoken = (page: Page) => region(page).locator("[aria-live=assertive]");
const moreTime = (page: Page) =>
  region(page).getByRole("button", { name: "I need more time", exact: true });

test("WCAG 2.2.1: a minute before the session ends the PSU is warned, and more time costs nothing typed", async ({
  tpp,
  psu,
}) => {
  const { page } = psu;
  await page.clock.install();
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.chooseAll();
  const code = await psu.codeFor("ana", tpp.name);
  await psu.fields.code.fill(code);
  await page.clock.fastForward("03:30");
  await expect(moreTime(page)).toBeHidden();

  await page.clock.fastForward("00:35");
  await expect(spoken(page)).toHaveText(/^In less than a minute you will be signed out/);
  await expect(psu.fields.code).toBeFocused();
  await page.clock.fastForward("00:30");
  await expect(spoken(page)).toHaveText(/^In less than 30 seconds/);
  await expectAccessibleInLight(page);

  // By keyboard, from the field on: the focus comes back to it.
  await moreTime(page).focus();
  await page.keyboard.press("Enter");
  await expect(spoken(page)).toHaveText("You have more time.");
  await expect(psu.fields.code).toBeFocused();
  await expect(psu.fields.code).toHaveValue(code);
  await page.clock.fastForward("03:30");
  await expect(moreTime(page)).toBeHidden();
  await psu.confirmButton.click();
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

test("after the end the page says so and leads on: to the sign-in, and in the end to the TPP", async ({
  tpp,
  psu,
}) => {
  const { page } = psu;
  await page.clock.install();
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  // The script counts from when it has begun.
  await page.waitForLoadState();
  await page.clock.fastForward("05:05");
  await expect(spoken(page)).toHaveText(/^You are signed out/);
  await expect(region(page).getByRole("link", { name: "Sign in again" })).toHaveAttribute(
    "href",
    /^\/authorise\/[\w-]+\?question=accounts$/,
  );
  await page.clock.fastForward("10:00");
  await expect(spoken(page)).toHaveText(/^The time for this request is over/);
  await expect(moreTime(page)).toBeHidden();
  await psu.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
});

test("a bank that does not answer is said, and the time goes on", async ({ tpp, psu }) => {
  const { page } = psu;
  await page.clock.install();
  await psu.open((await tpp.ask()).request.url);
  await page.route("**/stay", (route) => route.abort());
  await page.clock.fastForward("14:10");
  await moreTime(page).click();
  await expect(spoken(page)).toHaveText("That did not work. Please try again.");
  await page.unroute("**/stay");
  await moreTime(page).click();
  await expect(spoken(page)).toHaveText("You have more time.");
  await expect(page.locator("footer")).toContainText("You can finish this request until");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the limits are told, and more time is a button that leads back to the question", async ({
    tpp,
    psu,
  }) => {
    const { page } = psu;
    await psu.open((await tpp.ask()).request.url);
    await psu.signIn("ana");
    await expect(page.locator("footer")).toContainText("After 5 minutes without activity");
    const question = page.url();
    await page.getByRole("button", { name: "I need more time", exact: true }).click();
    await expect(page.getByRole("status")).toHaveText("You have more time.");
    expect(page.url()).toBe(`${question}?question=accounts`);
    await psu.chooseAll();
  });
});
