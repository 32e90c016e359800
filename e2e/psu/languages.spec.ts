import type { Page } from "@playwright/test";
import { formOf, post } from "../harness/forms";
import { expect, test } from "../harness/test";

const romanian = {
  userId: "Nume de utilizator",
  password: "Parolă",
  onwards: "Continuați",
  everyAccount: "Toate conturile",
  code: "Cod",
  confirm: "Confirmați",
} as const;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const isIn = (page: Page, lang: string) =>
  expect(page.locator("html")).toHaveAttribute("lang", lang);

/** The authorisation request of a TPP that knows what its customer reads. */
function wanting(url: URL, uiLocales: string): URL {
  const wanted = new URL(url);
  wanted.searchParams.set("ui_locales", uiLocales);
  return wanted;
}

async function signIn(page: Page, userId: string) {
  await page.getByLabel(romanian.userId, { exact: true }).fill(userId);
  await page.getByLabel(romanian.password, { exact: true }).fill(`${userId}-sandbox`);
  await press(page, romanian.onwards);
}

test.describe("a browser that wants Romanian", () => {
  test.use({ locale: "ro-RO" });

  test("is given every page in it, unless the TPP knows better", async ({ tpp, psu, bank }) => {
    const { page } = psu;
    const { request } = await tpp.ask();
    await psu.open(request.url);
    await isIn(page, "ro");
    await expect(page).toHaveTitle(/^Autentificare la /);
    for (const path of ["/authorise/unknown", "/authorise/ended?reason=fault", "/nowhere"]) {
      await page.goto(bank.webUrl + path);
      await isIn(page, "ro");
      await expect(page.getByRole("button", { name: "English" })).toBeVisible();
    }
    await page.goto(`${bank.webUrl}/nowhere`);
    await press(page, "English");
    await isIn(page, "en");
    await expect(page).toHaveTitle(/^Page not found/);
  });
});

test("ui_locales stand above Accept-Language where the request ends at the bank", async ({
  tpp,
  psu,
}) => {
  const { page } = psu;
  const { request } = await tpp.ask();
  const wrong = wanting(request.url, "ro-RO en");
  wrong.searchParams.set("redirect_uri", "https://elsewhere.example/");
  await page.goto(wrong.href);
  await isIn(page, "ro");
  await press(page, "English");
  await isIn(page, "en");
});

test("ui_locales stand above Accept-Language, until the last page", async ({ tpp, psu }) => {
  const { page } = psu;
  const { request } = await tpp.ask();
  await psu.open(wanting(request.url, "ro-RO en"));
  await isIn(page, "ro");
  const cancel = await formOf(page.getByRole("button", { name: "Renunțați", exact: true }));
  const answer = await post(page, cancel);
  const leaving = new URL(String(answer.headers()["location"]), page.url());
  const last = await (await page.request.get(leaving.href)).text();
  expect(last).toMatch(/<html lang="ro">.*Vă ducem înapoi la /s);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the PSU's choice stands above both and is kept to the end, on the phone too", async ({
    newTpp,
    psu,
    bank,
  }) => {
    const tpp = await newTpp();
    const { page } = psu;
    const asked = await tpp.ask();
    await psu.open(wanting(asked.request.url, "en"));
    await isIn(page, "en");
    await press(page, "Română");
    await isIn(page, "ro");
    // What was answered, and what came of it, is still there in the other language.
    await signIn(page, "nobody-reads");
    await expect(page).toHaveTitle(/^Eroare: /);
    await press(page, "English");
    await expect(page).toHaveTitle(/^Error: /);
    await expect(psu.fields.userId).toHaveValue("nobody-reads");
    await press(page, "Română");
    await signIn(page, "ana");
    await page.getByRole("checkbox", { name: romanian.everyAccount, exact: true }).check();
    await press(page, romanian.onwards);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Dați acces la 5 conturi");
    await page.getByRole("link", { name: "Schimbați conturile" }).click();
    await press(page, "English");
    await expect(psu.fields.accounts.first()).toBeChecked();
    await press(page, "Română");
    await press(page, romanian.onwards);
    await isIn(page, "ro");

    const code = await psu.codeFor("ana", tpp.name);
    const phone = await fetch(`${bank.webUrl}/sandbox/messages?psu=ana`);
    const messages = (await phone.json()) as readonly { readonly text: string }[];
    const said = messages.find(({ text }) => text.includes(tpp.name))?.text;
    expect(said).toContain(
      `${code} este codul cu care permiteți ca „${tpp.name}” să consulte 5 conturi`,
    );

    await page.getByLabel(romanian.code, { exact: true }).fill(code);
    await press(page, romanian.confirm);
    expect((await tpp.collect(asked)).accessToken).toBeDefined();
  });
});
