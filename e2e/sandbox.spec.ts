import { isCoreBankApart } from "./harness/core-bank";
import { expect, test } from "./harness/test";

test("the front page says what is running and links to everything there is to see", async ({
  page,
  bank,
}) => {
  await page.goto(bank.webUrl);
  await expect(page).toHaveTitle(/Drawbridge/);
  const body = page.locator("body");
  for (const word of [bank.xs2aUrl, "ana", "mihai", "elena", "dan", "npm run tpp"]) {
    await expect(body).toContainText(word);
  }
  const links = await page.getByRole("link").all();
  for (const link of links) {
    const url = new URL(String(await link.getAttribute("href")), bank.webUrl);
    if (url.origin !== bank.webUrl) continue;
    expect((await page.request.get(url.href)).status(), url.href).toBe(200);
  }
  // They are in the embedded ledger.
  const ofNamespaces = await page.request.get(`${bank.webUrl}/sandbox/namespace`);
  expect(ofNamespaces.status()).toBe(isCoreBankApart() ? 404 : 200);
});

test("the phone as JSON is newest first: sentAt, text and code", async ({
  tpp,
  psuByForms: psu,
  bank,
}) => {
  for (let visit = 0; visit < 2; visit += 1) {
    const asked = await tpp.ask();
    await psu.open(asked.request.url);
    await psu.agree("mihai", tpp.name);
  }
  const answer = await fetch(`${bank.webUrl}/sandbox/messages?psu=mihai`);
  const messages = (await answer.json()) as { sentAt: string; text: string; code: string }[];
  expect(answer.headers.get("content-type")).toContain("application/json");
  // Others send texts to the same phone at the same moment, and these stand between.
  const times = messages.filter(({ text }) => text.includes(tpp.name)).map(({ sentAt }) => sentAt);
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times).toEqual(times.toSorted().toReversed());
  for (const message of messages) {
    expect(Object.keys(message).toSorted()).toEqual(["code", "sentAt", "text"]);
    expect(message.text).toContain(message.code);
    expect(message.sentAt).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  }
});
