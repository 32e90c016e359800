import { granted } from "@/clients/typescript/src";
import { formOf, post } from "../harness/forms";
import { ANA_CURRENT, crossBorder, sepa } from "../harness/payment-request";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";
import type { AskedToPay, TestTpp } from "../harness/test-tpp";

async function statusOf(tpp: TestTpp, asked: AskedToPay) {
  const { transactionStatus } = granted(await tpp.bank.paymentStatus(asked));
  const { scaStatus } = granted(await tpp.bank.paymentScaStatus(asked, asked.authorisationId));
  return { transactionStatus, scaStatus };
}

test("login, one page with the code, and back to the TPP; scaStatus and payment follow", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.askToPay();
  await psu.open(asked.request.url);
  await expect(psu.page.getByText("Step 1 of 2")).toBeVisible();
  expect(await statusOf(tpp, asked)).toEqual({ transactionStatus: "RCVD", scaStatus: "received" });
  await psu.signInToCode("ana");
  const heading = psu.page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Pay 12.50 EUR to “Merchant GmbH”");
  await expect(psu.page.getByText("Step 2 of 2")).toBeVisible();
  expect(await statusOf(tpp, asked)).toEqual({ transactionStatus: "RCVD", scaStatus: "started" });
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  const token = await tpp.collect(asked);
  expect(token.scope).toBe(`PIS:${asked.paymentId}`);
  expect(token.refreshToken).toBeUndefined();
  const { transactionStatus, scaStatus } = await statusOf(tpp, asked);
  expect(scaStatus).toBe("finalised");
  expect(["ACCP", "ACSP", "ACSC"]).toContain(transactionStatus);
});

test("P7: the page shows all that is paid, and the text message the same amount and payee", async ({
  tpp,
  psu,
  bank,
  context,
}) => {
  const asked = await tpp.askToPay(
    crossBorder({
      debtorAccount: { iban: ANA_CURRENT },
      instructedAmount: { currency: "EUR", amount: "1234.5" },
    }),
  );
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  const { page, term } = psu;
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Pay 1,234.50 EUR to “Merchant GmbH”");
  await expect(term("Who")).toContainText(tpp.id);
  await expect(term("Amount")).toHaveText("1,234.50 EUR");
  await expect(term("To")).toContainText("DE89370400440532013000");
  await expect(term("To")).toContainText("BIC COBADEFF");
  await expect(term("To")).toContainText("Germany");
  await expect(term("Message to the payee")).toHaveText("Order 4711");
  await expect(term("From")).toContainText(ANA_CURRENT);
  await expect(term("Leaves your account")).toContainText("6,283.61 RON");
  await expect(term("Fee")).toContainText("10.00 EUR, debited as 50.90 RON");
  await expect(term("When")).toContainText("cross-border");
  const phone = await context.newPage();
  await phone.goto(`${bank.webUrl}/sandbox/phone?psu=ana`);
  const said = phone.getByText(tpp.name).first();
  await expect(said).toContainText('pay 1234.50 EUR to "Merchant GmbH", DE89370400440532013000');
});

test("P7: what a form says of amount or payee is ignored; a second tab shows the same", async ({
  tpp,
  psu,
  context,
  bank,
}) => {
  const order = sepa({ endToEndIdentification: "E2E-7" });
  const asked = await tpp.askToPay(order);
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  await expect(psu.term("End-to-end ID")).toHaveText("E2E-7");
  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.open(asked.request.url);
  await expect(second.page.getByRole("heading", { level: 1 })).toHaveText(
    /12\.50 EUR to “Merchant/,
  );
  const form = await formOf(second.confirmButton);
  const code = await psu.codeFor("ana", tpp.name);
  const edited = { amount: "0.01", creditorIban: "RO09BCYP0000001234567890", account: "x" };
  await post(second.page, { ...form, fields: { ...form.fields, ...edited, code } });
  const paid = granted(await tpp.bank.payment(asked));
  expect(paid).toMatchObject(order.payment);
  expect((await statusOf(tpp, asked)).scaStatus).toBe("finalised");
});

test("P8: Confirm twice at once is one payment, and one code is worth a token", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.askToPay();
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  const form = await formOf(psu.confirmButton);
  const code = await psu.codeFor("ana", tpp.name);
  const filled = { ...form, fields: { ...form.fields, code } };
  const answers = await Promise.all([post(psu.page, filled), post(psu.page, filled)]);
  for (const answer of answers) expect(answer.status()).toBe(303);
  expect((await statusOf(tpp, asked)).scaStatus).toBe("finalised");
  await psu.page.goto(new URL(String(answers[0]?.headers()["location"]), form.action).href);
  expect((await tpp.collect(asked)).accessToken).toBeDefined();
});

for (const [page, until] of [
  ["the login page", async () => undefined],
  ["the page with the code", (psu: ReturnType<typeof psuAt>) => psu.signInToCode("ana")],
] as const) {
  test(`P10: Cancel on ${page} rejects the payment and leads to the Nok URI`, async ({
    tpp,
    psu,
    bank,
  }) => {
    const asked = await tpp.askToPay();
    await psu.open(asked.request.url);
    await until(psu);
    await psu.cancel();
    const cameBack = await tpp.listener.next(60_000);
    expect(cameBack.origin + cameBack.pathname).toBe(tpp.nokRedirectUri);
    expect(Object.fromEntries(cameBack.searchParams)).toEqual({
      error: "access_denied",
      state: asked.request.state,
      iss: bank.xs2aUrl,
    });
    expect(await statusOf(tpp, asked)).toEqual({ transactionStatus: "RJCT", scaStatus: "failed" });
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a payment is authorised, with a wrong password, a wrong code and a new code on the way", async ({
    tpp,
    psu,
  }) => {
    const asked = await tpp.askToPay();
    await psu.open(asked.request.url);
    await psu.signIn("nobody-pays", "wrong");
    await expect(psu.page).toHaveTitle(/^Error: /);
    await psu.signInToCode("ana");
    await psu.confirm("12");
    await expect(psu.page).toHaveTitle(/^Error: /);
    await psu.page.getByRole("button", { name: "Send a new code" }).click();
    await expect(psu.page.getByText("A new code was sent")).toBeVisible();
    await psu.confirm(await psu.codeFor("ana", tpp.name));
    expect((await tpp.collect(asked)).accessToken).toBeDefined();
  });
});
