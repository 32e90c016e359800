import { type FundsConsentRequest, granted } from "@/clients/typescript/src";
import { askForFunds } from "../harness/asking-for-funds";
import { bankDay } from "../harness/consent-request";
import { FUNDS_CONSENTS, fundsRequest } from "../harness/funds";
import { ANA_CURRENT } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { without } from "../harness/requests";
import { expect, test } from "../harness/test";

const whole: FundsConsentRequest = {
  account: { iban: ANA_CURRENT, currency: "RON" },
  cardNumber: "5254121234563241",
  cardExpiryDate: bankDay(700),
  cardInformation: "Loyalty card",
  registrationInformation: "Contract 1234",
};

test("POST /v2/consents/confirmation-of-funds answers 201 with the consent's id, absolute links and its headers", async ({
  tpp,
  bank,
}) => {
  const requestId = crypto.randomUUID();
  const headers = { "x-request-id": requestId };
  const reply = await tpp.bank.createFundsConsent(whole, tpp, { headers });
  const { consentId, ...rest } = granted(reply);
  const self = `${bank.xs2aUrl}${FUNDS_CONSENTS}/${consentId}`;
  expect(reply.status).toBe(201);
  expect(consentId).toMatch(/^[0-9a-f-]{36}$/);
  expect(rest).toEqual({
    consentStatus: "received",
    _links: {
      scaOAuth: { href: `${bank.xs2aUrl}/.well-known/oauth-authorization-server` },
      self: { href: self },
      status: { href: `${self}/status` },
      scaStatus: { href: expect.stringMatching(`^${self}/authorisations/[0-9a-f-]{36}$`) },
    },
  });
  expect(reply.headers).toMatchObject({
    location: self,
    "aspsp-sca-approach": "REDIRECT",
    "x-request-id": requestId,
    "cache-control": "no-store",
  });
  expect(reply.headers).not.toHaveProperty("aspsp-notification-support");
});

test("a new funds consent is read as it was sent, with status and scaStatus `received`", async ({
  tpp,
}) => {
  for (const request of [whole, fundsRequest()]) {
    const { consentId, authorisationId } = await askForFunds(tpp, request);
    expect(granted(await tpp.bank.fundsConsent(consentId))).toEqual({
      ...request,
      consentStatus: "received",
    });
    expect(granted(await tpp.bank.fundsConsentStatus(consentId))).toEqual({
      consentStatus: "received",
    });
    expect(granted(await tpp.bank.fundsAuthorisations(consentId))).toEqual({
      authorisationIds: [authorisationId],
    });
    expect(granted(await tpp.bank.fundsScaStatus(consentId, authorisationId))).toEqual({
      scaStatus: "received",
    });
  }
});

test("PSU-IP-Address and TPP-Redirect-URI are mandatory on the creation of a funds consent", async ({
  tpp,
}) => {
  const nowhere = await tpp.bank.createFundsConsent(whole, tpp, {
    edit: without("psu-ip-address"),
  });
  expectRefusal(nowhere, 400, "FORMAT_ERROR", "PSU-IP-Address");
  const headers = { "psu-ip-address": "198.51.100.7" };
  const reply = await tpp.bank.call("POST", FUNDS_CONSENTS, { body: whole, headers });
  expectRefusal(reply, 400, "FORMAT_ERROR", "TPP-Redirect-URI");
});

test("S9: a request that arrives again creates no second funds consent, and gets the first answer", async ({
  tpp,
}) => {
  const options = { headers: { "x-request-id": crypto.randomUUID() } };
  const create = (body = whole) => tpp.bank.createFundsConsent(body, tpp, options);
  const replies = await Promise.all(Array.from({ length: 8 }, () => create()));
  const ids = replies.map((reply) => granted(reply).consentId);
  expect(new Set(ids).size).toBe(1);
  const other = await create({ ...whole, cardInformation: "another card" });
  expectRefusal(other, 400, "FORMAT_ERROR", "X-Request-ID");
});
