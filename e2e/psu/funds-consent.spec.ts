import { granted } from "@/clients/typescript/src";
import { askForFunds } from "../harness/asking-for-funds";
import { ANA_CURRENT, ANA_TRAVEL } from "../harness/payment-request";
import { expect, test } from "../harness/test";

test("the page names account and sub-account, issuer, card by its last digits, until when, and what is learnt; the issuer gets a token that can be refreshed", async ({
  tpp,
  psu,
}) => {
  const asked = await askForFunds(tpp, {
    account: { iban: ANA_TRAVEL, currency: "USD" },
    cardNumber: "5409050000001234",
    cardExpiryDate: "2099-12-31",
    cardInformation: "Gold card",
  });
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  await expect(psu.term("Account")).toContainText("Travel account USD");
  await expect(psu.term("Account")).toContainText(ANA_TRAVEL);
  await expect(psu.term("Card issuer")).toContainText(tpp.id);
  await expect(psu.term("Card")).toContainText("ending in 1234");
  await expect(psu.term("Card")).toContainText("Gold card");
  await expect(psu.term("Until")).toHaveText("31 December 2099");
  await expect(psu.page.getByText("yes or no, never your balance")).toBeVisible();
  await expect(psu.page.locator("body")).not.toContainText("54090500");

  await psu.confirm(await psu.codeFor("ana", tpp.name));
  const token = await tpp.collect(asked);
  expect(token.scope).toBe(`PIIS:${asked.consentId}`);
  expect(token.refreshToken).toBeDefined();
  const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(asked.consentId));
  expect(consentStatus).toBe("valid");
});

test("P10: Cancel rejects the consent and leads to the Nok URI", async ({ tpp, psu }) => {
  const asked = await askForFunds(tpp);
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  await psu.cancel();
  const cameBack = await tpp.listener.next(60_000);
  expect(cameBack.origin + cameBack.pathname).toBe(tpp.nokRedirectUri);
  expect(cameBack.searchParams.get("error")).toBe("access_denied");
  const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(asked.consentId));
  expect(consentStatus).toBe("rejected");
});

test("a consent that the issuer deletes meanwhile: the PSU is told, and led back", async ({
  tpp,
  psu,
}) => {
  const asked = await askForFunds(tpp, { account: { iban: ANA_CURRENT } });
  await psu.open(asked.request.url);
  await psu.signInToCode("ana");
  await tpp.bank.deleteFundsConsent(asked.consentId);
  await psu.confirm(await psu.codeFor("ana", tpp.name));
  await expect(psu.page.getByRole("heading", { name: /withdrawn/ })).toBeVisible();
  await psu.wayBack.click();
  expect((await tpp.listener.next(60_000)).searchParams.get("error")).toBe("access_denied");
});
