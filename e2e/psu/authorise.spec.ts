import { granted } from "@/cli/tpp/reply";
import { consentRequest, oneOff } from "../harness/consent-request";
import { redirectingTpp } from "../harness/redirecting";
import { expect, test } from "../harness/test";

test("login, account selection, summary with a code, and back to the TPP; scaStatus and consent follow", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  const scaStatus = async () =>
    granted(await tpp.bank.scaStatus(asked.consentId, asked.authorisationId)).scaStatus;
  await psu.open(asked.request.url);
  expect(await scaStatus()).toBe("received");
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  expect(await scaStatus()).toBe("psuAuthenticated");
  await psu.chooseAll();
  expect(await scaStatus()).toBe("started");
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  await expect(psu.page.getByText("You can close this window")).toBeVisible();
  expect(await scaStatus()).toBe("finalised");
  const { consentStatus } = granted(await tpp.bank.consentStatus(asked.consentId));
  expect(consentStatus).toBe("valid");
});

test("the account selection shows every payment account of the PSU with name and IBAN, and no other", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await expect(psu.fields.accounts.first()).toBeVisible();
  const names = await Promise.all(
    (await psu.fields.accounts.all()).map((account) =>
      account.evaluate((box: HTMLInputElement) => box.labels?.[0]?.textContent),
    ),
  );
  expect(names).toHaveLength(5);
  for (const name of names) expect(name).toMatch(/^[\w ]+ RO\d{2} ?DRWB[\d ]+ (RON|EUR|USD)$/);
  expect(names.join()).not.toMatch(/Rainy days|Car loan/);
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

test("the summary names the TPP and its registration number, the data, the accounts, until when and how often", async ({
  newTpp,
  psu,
}) => {
  const tpp = await newTpp({ name: "Example TPP" });
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.choose("Current account", "Household account");
  const summary = psu.page.getByRole("main");
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
  if (process.env["UPDATE_SCREENSHOTS"] === "1") {
    await psu.page.screenshot({ path: "docs/images/consent.png", fullPage: true });
  }
});

test("the text message says what the code will do, and the phone shows it", async ({
  tpp,
  psu,
  bank,
  context,
}) => {
  const asked = await tpp.ask(oneOff());
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await psu.chooseAll();
  const code = await psu.codeFor("mihai", tpp.name);
  expect(code).toMatch(/^\d{6}$/);
  const phone = await context.newPage();
  await phone.goto(`${bank.webUrl}/sandbox/phone?psu=mihai`);
  await expect(phone.getByText(code).first()).toBeVisible();
  await expect(phone.getByText(tpp.name).first()).toBeVisible();
});

test("P13: a second TPP finds nobody signed in: each authorisation asks for the password", async ({
  tpp,
  newTpp,
  psu,
  authorise,
}) => {
  await authorise(tpp, { userId: "mihai" });
  const asked = await (await newTpp()).ask();
  await psu.open(asked.request.url);
  await expect(psu.fields.password).toBeVisible();
  await expect(psu.fields.password).toHaveValue("");
});

test("the TPP's PSU-ID fills the user ID field and decides nothing", async ({ tpp, psu }) => {
  const reply = await tpp.bank.createConsent(consentRequest(), tpp, {
    headers: { "psu-id": "elena" },
  });
  const { consentId, _links } = granted(reply);
  const { server } = await tpp.ask();
  expect(_links.scaOAuth.href).toContain("/.well-known/");
  const request = await server.authorise(`AIS:${consentId}`, tpp.redirectUri);
  await psu.open(request.url);
  await expect(psu.fields.userId).toHaveValue("elena");
  await psu.agree("mihai", tpp.name);
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.searchParams.has("code")).toBe(true);
});

test("P3, P14: no page is cached, framed, or sent on as a referrer", async ({ tpp, psu, bank }) => {
  const documents: Record<string, string>[] = [];
  psu.page.on("response", async (response) => {
    const ours = response.url().startsWith(bank.webUrl);
    const isDocument = response.request().resourceType() === "document";
    if (ours && isDocument && response.status() === 200)
      documents.push(await response.allHeaders());
  });
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree("ana", tpp.name);
  await tpp.listener.next(60_000);
  expect(documents.length).toBeGreaterThanOrEqual(3);
  for (const headers of documents) {
    expect(headers["cache-control"]).toContain("no-store");
    expect(headers["referrer-policy"]).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
  }
});

test("P15: the forms of a page lead to the bank and nowhere else", async ({ tpp, psu }) => {
  const policies: string[] = [];
  psu.page.on("response", async (response) => {
    const policy = (await response.allHeaders())["content-security-policy"];
    const isDocument = response.request().resourceType() === "document";
    if (isDocument && policy !== undefined) policies.push(policy);
  });
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("ana");
  await psu.chooseAll();
  expect(policies.length).toBeGreaterThanOrEqual(3);
  for (const policy of policies) {
    expect(policy.split(";").map((part) => part.trim())).toContain("form-action 'self'");
  }
});

for (const ending of ["confirms", "cancels"]) {
  test(`P15: a PSU who ${ending} comes back to a TPP that redirects on to another origin`, async ({
    tpp,
    psu,
  }) => {
    const { redirectUri, app, close } = await redirectingTpp();
    const created = granted(await tpp.bank.createConsent(consentRequest(), { redirectUri }));
    const { server } = await tpp.ask();
    const request = await server.authorise(`AIS:${created.consentId}`, redirectUri);
    await psu.open(request.url);
    if (ending === "confirms") await psu.agree("mihai", tpp.name);
    else await psu.cancel();
    await psu.page.waitForURL(app);
    await expect(psu.page.getByText("the app")).toBeVisible();
    await close();
  });
}

test("P4: the TPP's name is text, whatever is in it", async ({ newTpp, psu }) => {
  const name = '<img src=x onerror="document.title=1"> & Co';
  const tpp = await newTpp({ name });
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const shown = "<img src=x onerror='document.title=1'> & Co";
  await expect(psu.page.getByText(shown).first()).toBeVisible();
  await expect(psu.page.locator("img[src=x]")).toHaveCount(0);
});

test("P12: when the authorisation is over, its page and its cookies open nothing any more", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const page = psu.page.url();
  await psu.agree("mihai", tpp.name);
  await psu.isBackAt(await tpp.listener.next(60_000));
  await psu.page.goto(page);
  for (const field of [psu.fields.password, psu.fields.code, psu.fields.accounts]) {
    await expect(field).toHaveCount(0);
  }
});
