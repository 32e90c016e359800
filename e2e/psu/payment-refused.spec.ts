import { granted } from "@/clients/typescript/src";
import { formOf, post, throughLeaving } from "../harness/forms";
import { instant, MIHAI_CURRENT } from "../harness/payment-request";
import { psuAt } from "../harness/psu";
import { expect, test } from "../harness/test";

/** Elena's, and blocked: she may confirm, and the bank refuses. */
const ELENA_BLOCKED = "RO92DRWB0001000000000202";
const fromBlocked = () =>
  instant({
    debtorAccount: { iban: ELENA_BLOCKED },
    creditorAccount: { iban: MIHAI_CURRENT },
    instructedAmount: { currency: "RON", amount: "1.00" },
  });

test("an account that is none of the PSU's: the page says so, and leads to the Nok URI", async ({
  tpp,
  psu,
}) => {
  const asked = await tpp.askToPay();
  await psu.open(asked.request.url);
  await psu.signIn("mihai");
  await expect(psu.page.getByRole("heading", { name: /none of yours/ })).toBeVisible();
  await expect(psu.page.getByText("Nothing was paid.")).toBeVisible();
  await psu.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.nokRedirectUri);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
  const { transactionStatus } = granted(await tpp.bank.paymentStatus(asked));
  expect(transactionStatus).toBe("RJCT");
});

test("a payment that the bank refuses: said before the code, and after it, nothing was paid, back with access_denied", async ({
  tpp,
  psu,
  bank,
}) => {
  const asked = await tpp.askToPay(fromBlocked());
  await psu.open(asked.request.url);
  await psu.signInToCode("elena");
  await expect(
    psu.page.getByText("Your account is blocked: no payment can leave it."),
  ).toBeVisible();
  await psu.confirm(await psu.codeFor("elena", tpp.name));
  const heading = psu.page.getByRole("heading", { name: "Your account is blocked" });
  await expect(heading).toBeVisible();
  await expect(psu.page.getByText("Nothing was paid.")).toBeVisible();
  await psu.page.reload();
  await expect(heading).toBeVisible();
  await psu.wayBack.click();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.nokRedirectUri);
  expect(Object.fromEntries(cameBack.searchParams)).toEqual({
    error: "access_denied",
    state: asked.request.state,
    iss: bank.xs2aUrl,
  });
  const { transactionStatus } = granted(await tpp.bank.paymentStatus(asked));
  const { scaStatus } = granted(await tpp.bank.paymentScaStatus(asked, asked.authorisationId));
  expect({ transactionStatus, scaStatus }).toEqual({
    transactionStatus: "RJCT",
    scaStatus: "finalised",
  });
});

test("P8: for a refused payment no code is handed out: not twice at once, not in a second tab", async ({
  tpp,
  psu,
  context,
  bank,
}) => {
  const asked = await tpp.askToPay(fromBlocked());
  await psu.open(asked.request.url);
  await psu.signInToCode("elena");
  const second = psuAt(await context.newPage(), bank.webUrl);
  await second.page.goto(psu.page.url());
  const [form, cancel] = [await formOf(psu.confirmButton), await formOf(psu.cancelButton)];
  const code = await psu.codeFor("elena", tpp.name);
  const filled = { ...form, fields: { ...form.fields, code } };
  const answers = await Promise.all([post(psu.page, filled), post(psu.page, filled)]);
  for (const answer of answers) {
    expect(answer.status()).toBe(303);
    expect(answer.headers()["location"]).toBe(new URL(psu.page.url()).pathname);
  }
  await second.page.reload();
  await expect(second.wayBack).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    const back = await throughLeaving(psu.page, await post(psu.page, cancel));
    expect(back.searchParams.get("error")).toBe("access_denied");
    expect(back.searchParams.has("code")).toBe(false);
  }
});
