import { granted } from "@/clients/typescript/src";
import { bankDay, consentRequest } from "../harness/consent-request";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";

test("balances are closingBooked, expected and forwardAvailable, each once and in the account's currency", async ({
  shared: { tpp, grant },
}) => {
  const { accounts } = granted(await tpp.bank.accounts(grant));
  for (const { resourceId, currency } of accounts) {
    const { balances } = granted(await tpp.bank.balances(grant, resourceId));
    const types = balances.map(({ balanceType }) => balanceType);
    expect(types.toSorted()).toEqual(["closingBooked", "expected", "forwardAvailable"]);
    for (const { balanceAmount } of balances) {
      expect(balanceAmount.currency).toBe(currency);
      expect(balanceAmount.amount).toMatch(/^-?\d{1,14}\.\d{2}$/);
    }
  }
});

test("closingBooked is of a day that is closed, forwardAvailable of a day to come", async ({
  shared: { tpp, grant },
}) => {
  const [account] = granted(await tpp.bank.accounts(grant)).accounts;
  const { balances } = granted(await tpp.bank.balances(grant, String(account?.resourceId)));
  const dayOf = (type: string) =>
    String(balances.find(({ balanceType }) => balanceType === type)?.referenceDate);
  expect(dayOf("closingBooked") < bankDay()).toBe(true);
  expect(dayOf("forwardAvailable") > bankDay()).toBe(true);
});

test("mihai's account holds 37.40 RON", async ({ tpp, authorise }) => {
  const grant = await authorise(tpp, { userId: "mihai" });
  const [account] = granted(await tpp.bank.accounts(grant)).accounts;
  const { balances } = granted(await tpp.bank.balances(grant, String(account?.resourceId)));
  const expected = balances.find(({ balanceType }) => balanceType === "expected");
  expect(expected?.balanceAmount).toEqual({ amount: "37.40", currency: "RON" });
});

test("B2: balances that were not granted are 401 CONSENT_INVALID", async ({ tpp, authorise }) => {
  const request = consentRequest({ access: { transactions: [] } });
  const grant = await authorise(tpp, { userId: "mihai", request });
  const [account] = granted(await tpp.bank.accounts(grant)).accounts;
  const reply = await tpp.bank.balances(grant, String(account?.resourceId));
  expectRefusal(reply, 401, "CONSENT_INVALID");
});

test("the balances of an account that is not in the consent are 404 RESOURCE_UNKNOWN", async ({
  shared: { tpp, grant },
}) => {
  expectRefusal(await tpp.bank.balances(grant, UNKNOWN_ID), 404, "RESOURCE_UNKNOWN");
});
