import { randomUUID } from "node:crypto";
import type { Exchange } from "@/tpp/http";
import { formFaults } from "./harness/exchange-form";
import { standard } from "./harness/openapi";
import { expect, test } from "./harness/test";

/** An answer of the API host, made up. */
function answer(status: number, body: unknown, headers = {}): Exchange {
  const url = "https://bank.example/open-banking/v3.1/aisp/v1/consents/x/status";
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

test("what looks at every exchange finds what is not in the standard's form", () => {
  const standardFaults = standard();
  test.skip(standardFaults === undefined, "the standard's OpenAPI file is not at hand");
  if (standardFaults === undefined) return;
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
