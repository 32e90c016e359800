import { type Access, AISP, granted } from "@/clients/typescript/src";
import { bankDay, consentRequest, oneOff } from "../harness/consent-request";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID, without } from "../harness/requests";
import { expect, test } from "../harness/test";

const IBAN = "RO49AAAA1B31007593840000";
const named = [{ iban: IBAN }];

test("POST /v1/consents answers 201 with the consent's id, absolute links and its headers", async ({
  tpp,
  bank,
}) => {
  const requestId = crypto.randomUUID();
  const reply = await tpp.bank.createConsent(consentRequest(), tpp, {
    headers: { "x-request-id": requestId },
  });
  const { consentId, consentStatus, _links } = granted(reply);
  const self = `${bank.xs2aUrl}${AISP}/consents/${consentId}`;
  expect(reply.status).toBe(201);
  expect(consentStatus).toBe("received");
  expect(consentId).toMatch(/^[0-9a-f-]{36}$/);
  expect(_links).toEqual({
    scaOAuth: { href: `${bank.xs2aUrl}/.well-known/oauth-authorization-server` },
    self: { href: self },
    status: { href: `${self}/status` },
    scaStatus: { href: expect.stringMatching(`^${self}/authorisations/[0-9a-f-]{36}$`) },
  });
  expect(reply.headers).toMatchObject({
    location: self,
    "aspsp-sca-approach": "REDIRECT",
    "x-request-id": requestId,
    "cache-control": "no-store",
  });
  expect(reply.headers).not.toHaveProperty("aspsp-notification-support");
  expect(reply.headers).not.toHaveProperty("aspsp-multiple-consent-support");
});

const accepted: Readonly<Record<string, Access>> = {
  "bank offered, accounts only": {},
  "bank offered, accounts only, as an empty list": { accounts: [] },
  "bank offered with balances": { balances: [] },
  "bank offered with transactions and owner name": {
    transactions: [],
    additionalInformation: { ownerName: [] },
  },
  "dedicated accounts": { accounts: named, balances: named, transactions: named },
  "dedicated accounts with a currency": { balances: [{ iban: IBAN, currency: "RON" }] },
  "global availableAccounts": { availableAccounts: "allAccounts" },
  "global availableAccounts with owner name": { availableAccounts: "allAccountsWithOwnerName" },
  "global availableAccountsWithBalance": { availableAccountsWithBalance: "allAccounts" },
  "global availableAccountsWithBalance with owner name": {
    availableAccountsWithBalance: "allAccountsWithOwnerName",
  },
  "global allPsd2": { allPsd2: "allAccounts" },
  "global allPSD2, as the bank's documentation spells it": { allPSD2: "allAccountsWithOwnerName" },
};
for (const [model, access] of Object.entries(accepted)) {
  test(`the model is accepted, and GET returns it as requested: ${model}`, async ({ tpp }) => {
    const { consentId } = granted(await tpp.bank.createConsent(consentRequest({ access }), tpp));
    expect(granted(await tpp.bank.consent(consentId))).toMatchObject({
      access,
      recurringIndicator: true,
      validUntil: bankDay(90),
      frequencyPerDay: 4,
      lastActionDate: bankDay(),
      consentStatus: "received",
    });
  });
}

test("a one-off consent is valid until today and has frequencyPerDay 1", async ({ tpp }) => {
  granted(await tpp.bank.createConsent(oneOff(), tpp));
});

test("a recurring consent lasts at most 180 days: the 180th is accepted, the 181st is not", async ({
  tpp,
}) => {
  const until = (validUntil: string) => tpp.bank.createConsent(consentRequest({ validUntil }), tpp);
  granted(await until(bankDay(180)));
  expectRefusal(await until(bankDay(181)), 400, "FORMAT_ERROR", "validUntil");
});

test("validUntil 9999-12-31 is shortened to the limit, with a warning", async ({ tpp }) => {
  const request = consentRequest({ validUntil: "9999-12-31" });
  const { consentId, tppMessages } = granted(await tpp.bank.createConsent(request, tpp));
  expect(tppMessages).toEqual([expect.objectContaining({ category: "WARNING" })]);
  expect(granted(await tpp.bank.consent(consentId)).validUntil).toBe(bankDay(180));
});

// What each field may be is held where it is read: lib/xs2a/wire/consents.test.ts.

test("all faults of a request are in one answer, one entry each", async ({ tpp }) => {
  const body = consentRequest({ frequencyPerDay: 9, validUntil: "tomorrow" });
  const reply = await tpp.bank.createConsent(body, tpp);
  expectRefusal(reply, 400, "FORMAT_ERROR", "frequencyPerDay");
  expectRefusal(reply, 400, "FORMAT_ERROR", "validUntil");
});

test("S10: X-Request-ID is mandatory and a UUID; the answer then has one of the bank's", async ({
  tpp,
}) => {
  for (const value of ["1", "x".repeat(10_000), "99391c7e-ad88-49ec-a2ad-99ddcb1f772g"]) {
    const reply = await tpp.bank.consentStatus(UNKNOWN_ID, { headers: { "x-request-id": value } });
    expectRefusal(reply, 400, "FORMAT_ERROR", "X-Request-ID");
    expect(reply.headers["x-request-id"]).not.toBe(value);
  }
  const none = await tpp.bank.consentStatus(UNKNOWN_ID, { edit: without("x-request-id") });
  expectRefusal(none, 400, "FORMAT_ERROR", "X-Request-ID");
});

test("x-fapi-interaction-id is the TPP's when it sent one", async ({ tpp }) => {
  const id = crypto.randomUUID();
  const headers = { "x-fapi-interaction-id": id };
  const reply = await tpp.bank.consentStatus(UNKNOWN_ID, { headers });
  expect(reply.headers["x-fapi-interaction-id"]).toBe(id);
});

test("PSU-IP-Address is mandatory on the creation of a consent, and an IP address", async ({
  tpp,
}) => {
  const create = (edit: Parameters<typeof tpp.bank.createConsent>[2]) =>
    tpp.bank.createConsent(consentRequest(), tpp, edit);
  const none = await create({ edit: without("psu-ip-address") });
  expectRefusal(none, 400, "FORMAT_ERROR", "PSU-IP-Address");
  const wrong = await create({ headers: { "psu-ip-address": "300.1.1.1" } });
  expectRefusal(wrong, 400, "FORMAT_ERROR", "PSU-IP-Address");
  granted(await create({ headers: { "psu-ip-address": "2001:db8::1" } }));
});

test("TPP-Redirect-URI is mandatory", async ({ tpp }) => {
  const reply = await tpp.bank.call("POST", `${AISP}/consents`, {
    body: consentRequest(),
    headers: { "psu-ip-address": "198.51.100.7" },
  });
  expectRefusal(reply, 400, "FORMAT_ERROR", "TPP-Redirect-URI");
});

test("O12: neither redirect URI can lead out of the TPP's domains or into a script", async ({
  tpp,
}) => {
  const create = (redirectUri: string, nokRedirectUri: string) =>
    tpp.bank.createConsent(consentRequest(), { redirectUri, nokRedirectUri });
  for (const uri of ["javascript:alert(1)", "//evil.example/cb", "https://evil.example/cb#x"]) {
    expectRefusal(await create(uri, tpp.nokRedirectUri), 400, "FORMAT_ERROR", "TPP-Redirect-URI");
    expectRefusal(await create(tpp.redirectUri, uri), 400, "FORMAT_ERROR", "TPP-Nok-Redirect-URI");
  }
});

test("the status, the authorisation and its scaStatus of a new consent are `received`", async ({
  tpp,
}) => {
  const { consentId, authorisationId } = await tpp.ask();
  expect(granted(await tpp.bank.consentStatus(consentId))).toEqual({ consentStatus: "received" });
  expect(granted(await tpp.bank.authorisations(consentId))).toEqual({
    authorisationIds: [authorisationId],
  });
  const { scaStatus } = granted(await tpp.bank.scaStatus(consentId, authorisationId));
  expect(scaStatus).toBe("received");
});

test("an unknown consent is 403 CONSENT_UNKNOWN on every path, an unknown authorisation 404", async ({
  tpp,
}) => {
  const { bank } = tpp;
  for (const id of [UNKNOWN_ID, "x", "a b", "%00"]) {
    expectRefusal(await bank.consent(id), 403, "CONSENT_UNKNOWN");
    expectRefusal(await bank.consentStatus(id), 403, "CONSENT_UNKNOWN");
    expectRefusal(await bank.deleteConsent(id), 403, "CONSENT_UNKNOWN");
    expectRefusal(await bank.authorisations(id), 403, "CONSENT_UNKNOWN");
    expectRefusal(await bank.scaStatus(id, UNKNOWN_ID), 403, "CONSENT_UNKNOWN");
  }
  const { consentId } = await tpp.ask();
  expectRefusal(await bank.scaStatus(consentId, UNKNOWN_ID), 404, "RESOURCE_UNKNOWN");
});

test("the authorisations are read-only: POST and PUT are 405 SERVICE_INVALID", async ({ tpp }) => {
  const { consentId, authorisationId } = await tpp.ask();
  const path = `${AISP}/consents/${consentId}/authorisations`;
  expectRefusal(await tpp.bank.call("POST", path), 405, "SERVICE_INVALID");
  expectRefusal(await tpp.bank.call("PUT", `${path}/${authorisationId}`), 405, "SERVICE_INVALID");
});

test("DELETE is 204 and ends the consent as terminatedByTpp; a second DELETE changes nothing", async ({
  tpp,
}) => {
  const { consentId, authorisationId } = await tpp.ask();
  expect((await tpp.bank.deleteConsent(consentId)).status).toBe(204);
  expect((await tpp.bank.deleteConsent(consentId)).status).toBe(204);
  const { consentStatus } = granted(await tpp.bank.consentStatus(consentId));
  expect(consentStatus).toBe("terminatedByTpp");
  const { scaStatus } = granted(await tpp.bank.scaStatus(consentId, authorisationId));
  expect(scaStatus).toBe("failed");
});

test("once authorised, the consent is valid and names the accounts the PSU has chosen", async ({
  shared: { tpp, grant },
}) => {
  const consent = granted(await tpp.bank.consent(grant.consentId));
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const references = accounts.map(({ iban, currency }) => ({ iban, currency }));
  expect(consent.consentStatus).toBe("valid");
  for (const kind of ["accounts", "balances", "transactions"] as const) {
    expect(consent.access[kind]).toEqual(expect.arrayContaining(references));
    expect(consent.access[kind]).toHaveLength(references.length);
  }
  expect(consent.access.additionalInformation?.ownerName).toHaveLength(references.length);
});

test("a token sent with a consent call must be of this consent", async ({ tpp, shared }) => {
  const { consentId } = await tpp.ask();
  const read = (authorization: string) =>
    tpp.bank.consent(consentId, { headers: { authorization } });
  expectRefusal(await read("Bearer nonsense"), 401, "TOKEN_UNKNOWN");
  expectRefusal(await read(`Bearer ${shared.grant.accessToken}`), 401, "TOKEN_UNKNOWN");
});

test("a newer recurring consent ends the older one when it is authorised, not before", async ({
  tpp,
  authorise,
}) => {
  const older = await authorise(tpp, { userId: "mihai" });
  const status = async () => granted(await tpp.bank.consentStatus(older.consentId)).consentStatus;
  await tpp.ask();
  expect(await status()).toBe("valid");
  await authorise(tpp, { userId: "mihai", request: oneOff() });
  expect(await status()).toBe("valid");
  await authorise(tpp, { userId: "elena" });
  expect(await status()).toBe("valid");
  await authorise(tpp, { userId: "mihai" });
  expect(await status()).toBe("expired");
  expectRefusal(await tpp.bank.accounts(older), 401, "CONSENT_EXPIRED");
});
