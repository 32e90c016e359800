import { randomUUID } from "node:crypto";
import type { Exchange } from "@/clients/typescript/src";
import { formFaults } from "./harness/exchange-form";
import { standard } from "./harness/openapi";
import { expect, test } from "./harness/test";

const CONSENT_STATUS = "aisp/v1/consents/x/status";
const PAYMENT_STATUS = "pisp/v1/payments/sepa-credit-transfers/x/status";

/** An answer of the API host, made up. */
function answer(status: number, body: unknown, headers = {}, path = CONSENT_STATUS): Exchange {
  const url = `https://bank.example/open-banking/v3.1/${path}`;
  return {
    request: { method: "GET", url, headers: {} },
    reply: {
      status,
      headers: {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-request-id": randomUUID(),
        "x-fapi-interaction-id": randomUUID(),
        ...headers,
      },
      body: Buffer.from(JSON.stringify(body)),
    },
  };
}

const message = { category: "ERROR", code: "CONSENT_UNKNOWN", text: "unknown" };

test("what looks at every exchange finds what is not in the project's form", () => {
  expect(formFaults(answer(200, { consentStatus: "valid" }))).toEqual([]);
  expect(formFaults(answer(403, { tppMessages: [message] }))).toEqual([]);
  const faulty = [
    answer(403, { error: "no" }),
    answer(403, { tppMessages: [] }),
    answer(403, "<html>", { "content-type": "text/html" }),
    answer(500, { tppMessages: [{ ...message, code: "INTERNAL_SERVER_ERROR" }] }),
    answer(403, { tppMessages: [{ ...message, text: "at find (/srv/lib/store.ts:1:2)" }] }),
    answer(200, {}, { "x-request-id": "1" }),
    answer(200, {}, { "cache-control": "private" }),
  ];
  for (const exchange of faulty) expect(formFaults(exchange)).toHaveLength(1);
});

// Elsewhere the standard's files are not at hand.
const standardFaults = standard();
if (standardFaults !== undefined) {
  test("what looks at every exchange finds what is not in the standard's form", () => {
    expect(standardFaults(answer(200, { consentStatus: "valid" }))).toEqual([]);
    expect(standardFaults(answer(403, { tppMessages: [message] }))).toEqual([]);
    const faulty = [
      answer(200, { consentStatus: "perhaps" }),
      answer(200, {}),
      answer(200, { consentStatus: "valid" }, { "x-request-id": "1" }),
      answer(200, { consentStatus: "valid" }, { "content-type": "text/plain" }),
      answer(403, { tppMessages: [{ code: "CONSENT_UNKNOWN" }] }),
    ];
    for (const exchange of faulty) expect(standardFaults(exchange)).not.toEqual([]);
  });

  test("what looks at every exchange knows the standard's payments", () => {
    const faults = (status: number, body: unknown) =>
      standardFaults(answer(status, body, {}, PAYMENT_STATUS));
    const unknown = { category: "ERROR", code: "RESOURCE_UNKNOWN" };
    expect(faults(200, { transactionStatus: "RCVD", fundsAvailable: true })).toEqual([]);
    expect(faults(404, { tppMessages: [unknown] })).toEqual([]);
    expect(faults(200, { transactionStatus: "PAID" })).not.toEqual([]);
    expect(faults(200, { transactionStatus: "RCVD", fundsAvailable: "true" })).not.toEqual([]);
    expect(faults(404, { tppMessages: [{ code: "RESOURCE_UNKNOWN" }] })).not.toEqual([]);
  });

  test("what looks at every exchange knows the standard's funds consents and confirmations", () => {
    const status = "cbpii/v2/consents/confirmation-of-funds/x/status";
    const faultsOf = (code: number, body: unknown, path = status) =>
      standardFaults(answer(code, body, {}, path));
    expect(faultsOf(200, { consentStatus: "revokedByPsu" })).toEqual([]);
    expect(faultsOf(200, { consentStatus: "perhaps" })).not.toEqual([]);
    expect(
      faultsOf(
        200,
        { account: { iban: "RO49AAAA1B31007593840000" } },
        "cbpii/v2/consents/confirmation-of-funds/x",
      ),
    ).not.toEqual([]);
    expect(faultsOf(401, { tppMessages: [{ ...message, code: "ROLE_INVALID" }] })).toEqual([]);
    expect(faultsOf(401, { tppMessages: [{ ...message, code: "TIRED" }] })).not.toEqual([]);

    const exchange = answer(200, { fundsAvailable: "yes" }, {}, "cbpii/v1/funds-confirmations");
    const asked = { ...exchange, request: { ...exchange.request, method: "POST" } };
    expect(standardFaults(asked)).not.toEqual([]);
  });
}
