import { granted } from "@/clients/typescript/src";
import { formOf, OWN_PAGE, post } from "../harness/forms";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";

const origins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  "another host of the same site": { origin: "http://localhost:1", "sec-fetch-site": "same-site" },
  "an older browser on another site": { origin: "https://evil.example" },
  "a page without origin": { origin: "null" },
  "nowhere that it would name": {},
};
test("P2: a login form sent from elsewhere changes nothing", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const form = await formOf(psu.continueButton);
  const fields = { ...form.fields, userId: "mihai", password: "mihai-sandbox" };
  for (const [from, headers] of Object.entries(origins)) {
    await post(psu.page, { ...form, fields }, headers);
    const read = tpp.bank.scaStatus(asked.consentId, asked.authorisationId);
    expect(granted(await read).scaStatus, `from ${from}`).toBe("received");
  }
});

test("P2: a form without its token, with another form's, or with another authorisation's changes nothing", async ({
  tpp,
  psu,
}) => {
  const other = await tpp.ask();
  await psu.open(other.request.url);
  const foreign = (await formOf(psu.continueButton)).fields["token"];
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const form = await formOf(psu.continueButton);
  const cancel = (await formOf(psu.cancelButton)).fields["token"];
  for (const token of ["", "x", String(cancel), String(foreign)]) {
    const fields = { ...form.fields, token, userId: "mihai", password: "mihai-sandbox" };
    await post(psu.page, { ...form, fields }, OWN_PAGE);
  }
  const read = () => tpp.bank.scaStatus(asked.consentId, asked.authorisationId);
  expect(granted(await read()).scaStatus).toBe("received");
  const fields = { ...form.fields, userId: "mihai", password: "mihai-sandbox" };
  await post(psu.page, { ...form, fields }, OWN_PAGE);
  expect(granted(await read()).scaStatus).toBe("psuAuthenticated");
});

test("P2: another site's page cannot make the PSU's browser cancel", async ({ tpp, psu }) => {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  const { action, fields } = await formOf(psu.cancelButton);
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input name="${name}" value="${value}">`)
    .join("");
  const body = `<form method="post" action="${action}">${inputs}<button>Win</button></form>`;
  const evil = await psu.page.context().newPage();
  await evil.route("http://evil.example/", (route) =>
    route.fulfill({ contentType: "text/html", body }),
  );
  await evil.goto("http://evil.example/");
  await evil.getByRole("button", { name: "Win" }).click();
  await evil.waitForURL((url) => url.hostname === "localhost");
  const read = tpp.bank.scaStatus(asked.consentId, asked.authorisationId);
  expect(granted(await read).scaStatus).toBe("received");
});

test("P9: an account of another PSU in the form is refused, alone and among own ones", async ({
  newTpp,
  psu,
  browser,
  bank,
}) => {
  // With nothing ticked yet.
  const tpp = await newTpp();
  const elena = psuAt(await browser.newPage(), bank.webUrl);
  await elena.open((await tpp.ask()).request.url);
  await elena.signIn("elena");
  const company = elena.page.getByRole("checkbox", { name: "Popescu Grafic SRL" });
  const foreign = String(await company.getAttribute("value"));
  await elena.page.context().close();

  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  const own = String(await psu.fields.accounts.first().getAttribute("value"));
  const form = await formOf(psu.continueButton);
  const answer = async (...accounts: readonly string[]) => {
    const body = new URLSearchParams({ ...form.fields });
    for (const account of accounts) body.append("account", account);
    await psu.page.request.post(form.action, {
      headers: { ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
      data: body.toString(),
    });
    const read = tpp.bank.scaStatus(asked.consentId, asked.authorisationId);
    return granted(await read).scaStatus;
  };
  expect(await answer(foreign)).toBe("psuAuthenticated");
  expect(await answer(own, foreign)).toBe("psuAuthenticated");
  expect(await answer(own)).toBe("started");
});
