import {
  type Access,
  AISP,
  type ConsentRequest,
  granted,
  type PaymentRequest,
  PISP,
} from "@/clients/typescript/src";
import { consentRequest } from "../harness/consent-request";
import { sepa } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";

/** Services of the standard that this bank does not have, each with all its paths. */
const services: Readonly<Record<string, readonly string[]>> = {
  "card accounts": [
    `${AISP}/card-accounts`,
    `${AISP}/card-accounts/${UNKNOWN_ID}`,
    `${AISP}/card-accounts/${UNKNOWN_ID}/balances`,
    `${AISP}/card-accounts/${UNKNOWN_ID}/transactions?bookingStatus=booked&dateFrom=2026-01-01`,
  ],
  "signing baskets": [
    `${AISP}/signing-baskets`,
    `${AISP}/signing-baskets/${UNKNOWN_ID}`,
    `${AISP}/signing-baskets/${UNKNOWN_ID}/status`,
    `${AISP}/signing-baskets/${UNKNOWN_ID}/authorisations`,
    `${PISP}/signing-baskets`,
    `${PISP}/signing-baskets/${UNKNOWN_ID}`,
    `${PISP}/signing-baskets/${UNKNOWN_ID}/authorisations`,
  ],
  "the list of trusted beneficiaries": [
    `${AISP}/trusted-beneficiaries`,
    `${AISP}/accounts/${UNKNOWN_ID}/trusted-beneficiaries`,
  ],
  "the cancellation of a payment by an authorisation": [
    `${PISP}/payments/sepa-credit-transfers/${UNKNOWN_ID}/cancellation-authorisations`,
    `${PISP}/payments/target-2-payments/${UNKNOWN_ID}/cancellation-authorisations/${UNKNOWN_ID}`,
  ],
  "downloads of reports": [`${AISP}/accounts/${UNKNOWN_ID}/transactions/download/${UNKNOWN_ID}`],
};
for (const [service, paths] of Object.entries(services)) {
  test(`${service}: 404 RESOURCE_UNKNOWN on every path, also with a token, never an HTML page`, async ({
    shared: { tpp, grant },
  }) => {
    const token = {
      "consent-id": grant.consentId,
      authorization: `Bearer ${grant.accessToken}`,
    };
    for (const path of paths) {
      for (const headers of [{}, token]) {
        const reply = await tpp.bank.call("GET", path, { headers });
        expectRefusal(reply, 404, "RESOURCE_UNKNOWN");
        expect(reply.headers["content-type"]).toMatch(/^application\/json/);
      }
      expectRefusal(await tpp.bank.call("POST", path, { body: {} }), 404, "RESOURCE_UNKNOWN");
    }
  });
}

test("a combined session of account information and payment: 400 SESSIONS_NOT_SUPPORTED", async ({
  tpp,
}) => {
  const reply = await tpp.bank.createConsent(
    consentRequest({ combinedServiceIndicator: true }),
    tpp,
  );
  expectRefusal(reply, 400, "SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator");
});

test("savings and loans alone: 400 SERVICE_INVALID; beside current accounts they are left out", async ({
  tpp,
  authorise,
}) => {
  const restricted = (restrictedTo: readonly string[]): ConsentRequest =>
    consentRequest({ access: { availableAccounts: "allAccounts", restrictedTo } as Access });
  const refused = await tpp.bank.createConsent(restricted(["SVGS", "LOAN"]), tpp);
  expectRefusal(refused, 400, "SERVICE_INVALID", "access.restrictedTo");
  const grant = await authorise(tpp, { request: restricted(["CACC", "SVGS", "LOAN"]) });
  const { accounts } = granted(await tpp.bank.accounts(grant));
  expect(accounts.map(({ name }) => name)).not.toContain("Rainy days");
  for (const account of accounts) expect(account.cashAccountType).toBe("CACC");
});

test("trusted beneficiaries asked for in a consent are dropped without a word", async ({ tpp }) => {
  const access = { balances: [], additionalInformation: { trustedBeneficiaries: [] } } as Access;
  const { consentId } = granted(await tpp.bank.createConsent(consentRequest({ access }), tpp));
  const { access: kept } = granted(await tpp.bank.consent(consentId));
  expect(kept).toEqual({ balances: [], additionalInformation: {} });
});

test("an explicit start of the authorisation and its update: 405 SERVICE_INVALID", async ({
  tpp,
}) => {
  const { consentId, authorisationId } = await tpp.ask();
  const authorisations = `${AISP}/consents/${consentId}/authorisations`;
  expectRefusal(await tpp.bank.call("POST", authorisations), 405, "SERVICE_INVALID");
  const update = await tpp.bank.call("PUT", `${authorisations}/${authorisationId}`, { body: {} });
  expectRefusal(update, 405, "SERVICE_INVALID");
});

for (const parameter of ["entryReferenceFrom=1", "deltaList=true"]) {
  test(`a report since ${parameter.split("=")[0]}: 400 PARAMETER_NOT_SUPPORTED`, async ({
    shared: { tpp, grant },
  }) => {
    const { accounts } = granted(await tpp.bank.accounts(grant));
    const path = `${AISP}/accounts/${accounts[0]?.resourceId}/transactions`;
    const reply = await tpp.bank.nextTransactions(
      grant,
      `${path}?bookingStatus=booked&dateFrom=2026-01-01&${parameter}`,
    );
    expectRefusal(reply, 400, "PARAMETER_NOT_SUPPORTED", parameter.split("=")[0]);
  });
}

test("reports in XML or as text: 406 REQUESTED_FORMATS_INVALID", async ({
  shared: { tpp, grant },
}) => {
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const path = `${AISP}/accounts/${accounts[0]?.resourceId}/transactions`;
  for (const accept of ["application/xml", "text/plain"]) {
    const reply = await tpp.bank.nextTransactions(
      grant,
      `${path}?bookingStatus=booked&dateFrom=2026-01-01`,
      { headers: { accept } },
    );
    expectRefusal(reply, 406, "REQUESTED_FORMATS_INVALID");
  }
});

/** Every service and product of the standard that this bank does not have, and some of no standard. */
const unknownProducts = [
  "bulk-payments/sepa-credit-transfers",
  "periodic-payments/sepa-credit-transfers",
  "bulk-payments/pain.001-sepa-credit-transfers",
  "payments/pain.001-sepa-credit-transfers",
  "payments/pain.001-instant-sepa-credit-transfers",
  "payments/pain.001-target-2-payments",
  "payments/pain.001-cross-border-credit-transfers",
  "payments/domestic-payments",
  "payments/Sepa-Credit-Transfers",
  "Payments/sepa-credit-transfers",
];
for (const product of unknownProducts) {
  test(`${product}: 404 PRODUCT_UNKNOWN with any method, whatever follows in the path`, async ({
    tpp,
  }) => {
    const payment = `${PISP}/${product}/${UNKNOWN_ID}`;
    const paths = [
      `${PISP}/${product}`,
      payment,
      `${payment}/status`,
      `${payment}/authorisations`,
      `${payment}/authorisations/${UNKNOWN_ID}`,
      `${payment}/cancellation-authorisations`,
    ];
    for (const path of paths) {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const body = method === "POST" ? { body: {} } : {};
        expectRefusal(await tpp.bank.call(method, path, body), 404, "PRODUCT_UNKNOWN");
      }
    }
  });
}

test("pain.001 as the body of a product in JSON: 415 UNSUPPORTED_MEDIA_TYPE", async ({ tpp }) => {
  const { product, payment } = sepa();
  const headers = { "content-type": "application/xml" };
  const reply = await tpp.bank.createPayment(product, payment, tpp, { headers });
  expectRefusal(reply, 415, "UNSUPPORTED_MEDIA_TYPE");
});

const neverAccepted: Readonly<Record<string, unknown>> = {
  executionRule: "following",
  frequency: "Monthly",
  batchBookingPreferred: true,
  requestedExecutionDate: "2030-01-01",
  requestedExecutionTime: "2030-01-01T10:00:00Z",
};
for (const [field, value] of Object.entries(neverAccepted)) {
  test(`${field} of services that are not offered: 400 FORMAT_ERROR with its path`, async ({
    tpp,
  }) => {
    const { product, payment } = sepa();
    const body = { ...payment, [field]: value } as PaymentRequest;
    const reply = await tpp.bank.createPayment(product, body, tpp);
    expectRefusal(reply, 400, "FORMAT_ERROR", field);
  });
}
