import type { Response } from "@playwright/test";
import { granted } from "@/clients/typescript/src";
import { consentRequest } from "../harness/consent-request";
import { redirectingTpp } from "../harness/redirecting";
import { expect, test } from "../harness/test";

test("login, account selection, summary with a code, and back to the TPP; scaStatus and consent follow", async ({
  newTpp,
  psu,
  bank,
  context,
}) => {
  const isPictured = process.env["UPDATE_SCREENSHOTS"] === "1";
  const tpp = await newTpp(isPictured ? { name: "Example TPP" } : {});
  const { page, fields } = psu;
  const documents: Response[] = [];
  page.on("response", (response) => {
    const ours = response.url().startsWith(bank.webUrl) && response.status() === 200;
    if (ours && response.request().resourceType() === "document") documents.push(response);
  });
  const asked = await tpp.ask();
  const scaStatus = async () =>
    granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId)).scaStatus;
  await psu.open(asked.request.url);
  const loginPage = page.url();
  expect(await scaStatus()).toBe("received");
  await psu.signIn("ana");
  await expect(fields.accounts.first()).toBeVisible();
  expect(await scaStatus()).toBe("psuAuthenticated");

  await test.step("the account selection shows every payment account of the PSU with name and IBAN, and no other", async () => {
    const names = await fields.accounts.evaluateAll((boxes: HTMLInputElement[]) =>
      boxes.map((box) => box.labels?.[0]?.textContent),
    );
    expect(names).toHaveLength(5);
    for (const name of names) expect(name).toMatch(/^[\w ]+ RO\d{2} ?DRWB[\d ]+ (RON|EUR|USD)$/);
    expect(names.join()).not.toMatch(/Rainy days|Car loan/);
  });

  await psu.choose("Current account", "Household account");
  expect(await scaStatus()).toBe("started");
  await test.step("the summary names the TPP and its registration number, the data, the accounts, until when and how often", async () => {
    const summary = page.getByRole("main");
    await expect(summary).toContainText(tpp.name);
    await expect(summary).toContainText(tpp.id);
    await expect(summary).toContainText("National Bank of Romania");
    await expect(summary).toContainText(/balances and transactions/i);
    await expect(summary).toContainText("Current account");
    await expect(summary).toContainText("Household account");
    await expect(summary).not.toContainText("Travel account");
    await expect(summary).toContainText("4 times in 24 hours");
    await expect(psu.confirmButton).toBeVisible();
    await expect(psu.cancelButton).toBeVisible();
    if (isPictured) await page.screenshot({ path: "docs/images/consent.png", fullPage: true });
  });

  const code = await psu.codeFor("ana", tpp.name);
  await test.step("the text message says what the code will do, and the phone shows it", async () => {
    expect(code).toMatch(/^\d{6}$/);
    const phone = await context.newPage();
    await phone.goto(`${bank.webUrl}/sandbox/phone?psu=ana`);
    await expect(phone.getByText(code).first()).toBeVisible();
    await expect(phone.getByText(tpp.name).first()).toBeVisible();
    await phone.close();
  });

  await psu.confirm(code);
  await expect(page.getByText("You can close this window")).toBeVisible();
  await psu.isBackAt(await tpp.listener.next(60_000));
  expect(await scaStatus()).toBe("finalised");
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("valid");

  const headers = await Promise.all(documents.map((document) => document.allHeaders()));
  expect(headers.length).toBeGreaterThanOrEqual(3);
  await test.step("P3, P14: no page is cached, framed, or sent on as a referrer", () => {
    for (const one of headers) {
      expect(one["cache-control"]).toContain("no-store");
      expect(one["referrer-policy"]).toMatch(/^(no-referrer|same-origin)$/);
      expect(one["x-frame-options"]).toBe("DENY");
      expect(one["x-content-type-options"]).toBe("nosniff");
      expect(one["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(one["content-security-policy"]).not.toContain("unsafe-inline");
    }
  });
  await test.step("P15: the forms of a page lead to the bank and nowhere else", () => {
    for (const one of headers) {
      const policy = String(one["content-security-policy"]).split(";");
      expect(policy.map((part) => part.trim())).toContain("form-action 'self'");
    }
  });

  await test.step("P12: when the authorisation is over, its page and its cookies open nothing any more", async () => {
    await page.goto(loginPage);
    await expect(page.getByRole("heading").first()).toBeVisible();
    for (const field of [fields.password, fields.code, fields.accounts]) {
      await expect(field).toHaveCount(0);
    }
  });
  await test.step("P13: a second TPP finds nobody signed in: each authorisation asks for the password", async () => {
    await psu.open((await (await newTpp()).ask()).request.url);
    await expect(fields.password).toBeVisible();
    await expect(fields.password).toHaveValue("");
  });
});

test("an account that the TPP named is preselected, and the PSU may untick it", async ({
  tpp,
  psu,
  shared,
}) => {
  const { accounts } = granted(await shared.tpp.bank.accounts(shared.grant));
  const iban = String(accounts.find(({ name }) => name === "Household account")?.iban);
  const asked = await tpp.ask(consentRequest({ access: { balances: [{ iban }] } }));
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await expect(psu.page.getByRole("checkbox", { name: "Household account" })).toBeChecked();
  await expect(psu.page.getByRole("checkbox", { name: "Current account" })).not.toBeChecked();
  await psu.choose("Current account");
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  const { accessToken } = await tpp.collect(asked);
  const grant = { consentId: asked.consentId, accessToken };
  const shown = granted(await tpp.bank.accounts(grant)).accounts;
  expect(shown.map(({ name }) => name)).toEqual(["Current account"]);
});

test("the TPP's PSU-ID fills the user ID field and decides nothing", async ({ tpp, psu }) => {
  const reply = await tpp.bank.createConsent(consentRequest(), tpp, {
    headers: { "psu-id": "elena" },
  });
  const { consentId, _links } = granted(reply);
  const { server } = await tpp.ask();
  expect(_links.scaOAuth.href).toContain("/.well-known/");
  const request = server.authorise(`AIS:${consentId}`, tpp.redirectUri);
  await psu.open(request.url);
  await expect(psu.fields.userId).toHaveValue("elena");
  await psu.agree("mihai", tpp.name);
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.has("code")).toBe(true);
});

test("P15: a PSU who confirms or cancels comes back to a TPP that redirects on to another origin", async ({
  tpp,
  psu,
}) => {
  const { redirectUri, app, close } = await redirectingTpp();
  const { server } = await tpp.ask();
  for (const ending of ["confirms", "cancels"]) {
    const created = granted(await tpp.bank.createConsent(consentRequest(), { redirectUri }));
    const request = server.authorise(`AIS:${created.consentId}`, redirectUri);
    await psu.open(request.url);
    if (ending === "confirms") await psu.agree("mihai", tpp.name);
    else await psu.cancel();
    await psu.page.waitForURL(app);
    await expect(psu.page.getByText("the app")).toBeVisible();
  }
  await close();
});

test("P4: the TPP's name is text, whatever is in it", async ({ newTpp, psu }) => {
  const name = '<img src=x onerror="document.title=1"> & Co';
  const tpp = await newTpp({ name });
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const shown = "<img src=x onerror='document.title=1'> & Co";
  await expect(psu.page.getByText(shown).first()).toBeVisible();
  await expect(psu.page.locator("img[src=x]")).toHaveCount(0);
});
