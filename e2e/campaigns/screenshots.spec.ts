import { askForFunds } from "../harness/asking-for-funds";
import { cameraFor, staysBefore } from "../harness/camera";
import { consentRequest } from "../harness/consent-request";
import { outcomesAt } from "../harness/outcomes";
import { COMPANY, crossBorder, instant, MIHAI_CURRENT } from "../harness/payment-request";
import { type Psu, psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";

// Many pictures of few visits, and axe looks at every page three times.
test.describe.configure({ mode: "parallel", timeout: 300_000 });

const TPP = { name: "Claritas Buget SRL" };
const ELENA_BLOCKED = "RO92DRWB0001000000000202";

async function forgetSignIn({ page }: Psu): Promise<void> {
  await page.context().clearCookies({ name: "drawbridge-psu" });
}

test("every page of an account information request", async ({ newTpp, psu, context, bank }) => {
  const tpp = await newTpp(TPP);
  const camera = cameraFor("sharing", psu.page);
  const access = { allPsd2: "allAccountsWithOwnerName" } as const;
  const asked = await tpp.ask(consentRequest({ access }));
  await psu.open(asked.request.url);
  await camera.take("login");
  await psu.signIn("nobody", "wrong");
  await camera.take("login-wrong");
  const outcomes = outcomesAt(psu.page, bank);
  await outcomes.atRequest({ outcome: "too-soon", waitSeconds: 900 });
  await camera.take("login-too-soon");
  await outcomes.atRequest({ outcome: "busy" });
  await camera.take("login-busy");
  await psu.signIn("ana");
  await camera.take("accounts");
  for (const box of await psu.fields.accounts.all()) await box.uncheck();
  await psu.continueButton.click();
  await camera.take("accounts-none");
  await psu.chooseAll();
  await camera.take("summary");
  await psu.confirm("12");
  await camera.take("summary-wrong");
  await psu.page.getByRole("button", { name: "Send a new code" }).click();
  await camera.take("summary-new-code");
  await forgetSignIn(psu);
  await psu.page.reload();
  await camera.take("login-again");

  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.open((await tpp.ask()).request.url);
  await second.signIn("elena");
  await expect(second.fields.accounts.first()).toBeVisible();
  await second.page.close();
  await psu.page.reload();
  await camera.take("not-yours");

  await psu.signIn("ana");
  await expect(psu.fields.code).toBeVisible();
  const here = psu.page.url();
  await staysBefore(psu.page);
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  await camera.take("leaving");
  await forgetSignIn(psu);
  // Its own way on may be ahead of this one.
  await expect(async () => void (await psu.page.goto(here))).toPass();
  await camera.take("already-confirmed");
  expect(camera.left()).toEqual([]);
});

test("every page of a payment", async ({ newTpp, psu }) => {
  const tpp = await newTpp({ name: "Piața Mare Plăți SRL" });
  const camera = cameraFor("paying", psu.page);
  const asked = await tpp.askToPay(crossBorder());
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  await camera.take("payment");
  await psu.confirm("12");
  await camera.take("payment-wrong");

  await psu.open((await tpp.askToPay()).request.url);
  await psu.signIn("mihai");
  await camera.take("not-your-account");

  const toCompany = { creditorAccount: { iban: COMPANY }, creditorName: "Popescu Grafic SRL" };
  const refused = [
    { from: ELENA_BLOCKED, amount: "1.00", who: "elena", name: "account-blocked" },
    { from: MIHAI_CURRENT, amount: "9000.00", who: "mihai", name: "above-your-limit" },
  ] as const;
  for (const { from, amount, who, name } of refused) {
    const order = instant({
      ...toCompany,
      debtorAccount: { iban: from },
      instructedAmount: { currency: "RON", amount },
    });
    await psu.open((await tpp.askToPay(order)).request.url);
    await psu.agreeAtOnce(who, tpp.name);
    await camera.take(name);
  }
  expect(camera.left()).toEqual([]);
});

test("the page of a card issuer's request", async ({ newTpp, psu }) => {
  const tpp = await newTpp({ name: "Cardul Verde SA" });
  const camera = cameraFor("cards", psu.page);
  await psu.page.clock.install();
  const card = { cardNumber: "5409050000001234", cardInformation: "Cardul Verde Gold" };
  await psu.open((await askForFunds(tpp, card)).request.url);
  await psu.signInToCode("ana");
  await camera.take("funds");
  // A minute before the session ends.
  await psu.page.clock.fastForward("04:05");
  await camera.take("time-limit");
  expect(camera.left()).toEqual([]);
});

test("the pages that belong to no request", async ({ psu, bank }) => {
  const camera = cameraFor("alone", psu.page);
  const addresses = {
    gone: "/authorise/unknown",
    "unknown-client": "/authorise/ended?reason=unknown-client",
    "wrong-redirect-uri": "/authorise/ended?reason=wrong-redirect-uri",
    fault: "/authorise/ended?reason=fault",
    "not-found": "/not-found",
    unavailable: "/unavailable",
    sandbox: "/",
    "sandbox-phone": "/sandbox/phone?psu=ana",
  };
  for (const [name, address] of Object.entries(addresses)) {
    await psu.page.goto(bank.webUrl + address);
    await camera.take(name);
  }
  expect(camera.left()).toEqual([]);
});
