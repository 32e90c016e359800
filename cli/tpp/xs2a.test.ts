import { describe, expect, it } from "vitest";
import type { HttpRequest } from "./http";
import { granted, Refused } from "./reply";
import { digest } from "./signing";
import { answering } from "./testing/http";
import { sealForTests } from "./testing/seal";
import { xs2a } from "./xs2a";

const url = "https://xs2a.bank.example";
const seal = sealForTests("rsa");
const permission = { consentId: "c-1", accessToken: "t-1" };
const consent = {
  access: {},
  recurringIndicator: true,
  validUntil: "2026-12-31",
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};

const headersOf = (request: HttpRequest | undefined) =>
  request?.headers as Readonly<Record<string, string>>;

describe("a call of the TPP", () => {
  it("creates a consent with its redirect URIs, both signed, and the PSU's address", async () => {
    const http = answering({ status: 201, body: { consentId: "c-1" } });
    const bank = xs2a({ url, http, seal, psuIpAddress: "192.0.2.1" });
    const reply = await bank.createConsent(consent, {
      redirectUri: "https://tpp.example/cb",
      nokRedirectUri: "https://tpp.example/nok",
    });
    expect(granted(reply).consentId).toBe("c-1");
    const [sent] = http.sent;
    expect(sent?.method).toBe("POST");
    expect(sent?.url).toBe(`${url}/open-banking/v3.1/aisp/v1/consents`);
    expect(headersOf(sent)).toMatchObject({
      "content-type": "application/json",
      "psu-ip-address": "192.0.2.1",
      "tpp-redirect-uri": "https://tpp.example/cb",
      digest: digest(Buffer.from(JSON.stringify(consent))),
    });
    expect(headersOf(sent)["signature"]).toContain(
      'headers="digest x-request-id date tpp-redirect-uri tpp-nok-redirect-uri"',
    );
  });

  it("reads data with consent and token, and without PSU-IP-Address when no PSU is there", async () => {
    const http = answering({ status: 200, body: { accounts: [] } });
    await xs2a({ url, http, seal }).accounts(permission, true);
    const [sent] = http.sent;
    expect(sent?.url).toBe(`${url}/open-banking/v3.1/aisp/v1/accounts?withBalance=true`);
    expect(headersOf(sent)).toMatchObject({
      "consent-id": "c-1",
      authorization: "Bearer t-1",
    });
    expect(headersOf(sent)).not.toHaveProperty("psu-ip-address");
    expect(headersOf(sent)).not.toHaveProperty("content-type");
  });

  it("lets no id of the bank change the path it is put into", async () => {
    const http = answering({ status: 404, body: {} });
    await xs2a({ url, http, seal }).balances(permission, "../consents/x?a");
    expect(http.sent[0]?.url).toBe(
      `${url}/open-banking/v3.1/aisp/v1/accounts/..%2Fconsents%2Fx%3Fa/balances`,
    );
  });

  it("is signed with the time of the clock it is given", async () => {
    const http = answering({ status: 204 });
    const now = () => new Date("2027-05-20T10:00:00Z");
    await xs2a({ url, http, seal, now }).deleteConsent("c-1");
    expect(headersOf(http.sent[0])["date"]).toBe("Thu, 20 May 2027 10:00:00 GMT");
    expect(headersOf(http.sent[0])["signature"]).toContain(" date");
  });

  it("has an X-Request-ID of its own each time", async () => {
    const http = answering({ status: 204 }, { status: 204 });
    const bank = xs2a({ url, http, seal });
    await bank.deleteConsent("c-1");
    await bank.deleteConsent("c-1");
    const ids = http.sent.map((sent) => headersOf(sent)["x-request-id"]);
    expect(new Set(ids).size).toBe(2);
  });
});

describe("a refusal", () => {
  it("holds the bank's reasons in the standard's form", async () => {
    const message = { category: "ERROR", code: "CONSENT_UNKNOWN", text: "no such consent" };
    const http = answering({ status: 403, body: { tppMessages: [message] } });
    const reply = await xs2a({ url, http, seal }).consent("c-1");
    expect(reply).toMatchObject({ ok: false, status: 403, body: { tppMessages: [message] } });
    expect(() => granted(reply)).toThrow(Refused);
    expect(() => granted(reply)).toThrow("CONSENT_UNKNOWN - no such consent");
  });

  it("tells no reason when the answer is not in the standard's form", async () => {
    const http = answering({ status: 502, body: "<html>" }, { status: 500 });
    const bank = xs2a({ url, http, seal });
    expect((await bank.consent("c-1")).body).toEqual({ tppMessages: [] });
    expect((await bank.consent("c-1")).body).toEqual({ tppMessages: [] });
  });
});
