import { describe, expect, it } from "vitest";
import type { CallOptions } from "./call";
import type { HttpRequest } from "./http";
import { PISP } from "./payments";
import { granted, Refused } from "./reply";
import { answering } from "./testing/http";
import { sealForTests } from "./testing/seal";
import type { ConsentRequest, PaymentRequest } from "./wire";
import { xs2a } from "./xs2a";

const url = "https://xs2a.bank.example";
const seal = sealForTests("rsa");
const permission = { consentId: "c-1", accessToken: "t-1" };
const headersOf = (request: HttpRequest | undefined) =>
  request?.headers as Readonly<Record<string, string>>;

describe("a call of the TPP", () => {
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

  it("that begins a visit of the PSU says where the PSU is, and invents no address", async () => {
    const http = answering(...Array(3).fill({ status: 201, body: {} }));
    const bank = xs2a({ url, http, seal });
    const redirects = { redirectUri: "https://tpp.example/cb" };
    const account = { iban: "RO76DRWB0001000000000102" };
    const visits = [
      (more: CallOptions) => bank.createConsent({} as ConsentRequest, redirects, more),
      (more: CallOptions) => bank.createPayment("p", {} as PaymentRequest, redirects, more),
      (more: CallOptions) => bank.createFundsConsent({ account }, redirects, more),
    ];
    const headers = { "psu-ip-address": "192.0.2.1" };
    for (const create of visits) {
      await expect(create({})).rejects.toThrow("give psuIpAddress");
      await create({ headers });
      expect(headersOf(http.sent.at(-1))).toMatchObject(headers);
    }
    expect(http.sent).toHaveLength(visits.length);
  });

  it("lets no id of the bank change the path it is put into", async () => {
    const http = answering({ status: 404, body: {} });
    await xs2a({ url, http, seal }).balances(permission, "../consents/x?a");
    expect(http.sent[0]?.url).toBe(
      `${url}/open-banking/v3.1/aisp/v1/accounts/..%2Fconsents%2Fx%3Fa/balances`,
    );
    const elsewhere = answering({ status: 404, body: {} });
    const hostile = { product: "../x", paymentId: "../y?a" };
    await xs2a({ url, http: elsewhere, seal }).payment(hostile);
    expect(elsewhere.sent[0]?.url).toBe(`${url}${PISP}/payments/..%2Fx/..%2Fy%3Fa`);
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

  it("keeps the link to the page about its code", async () => {
    const body = { tppMessages: [], _links: { help: { href: `${url}/docs/errors/X` } } };
    const bank = xs2a({ url, http: answering({ status: 403, body }), seal });
    expect((await bank.consent("c-1")).body).toEqual(body);
  });

  it("is what comes in place of the bank's answer: a redirect, a page, or nothing", async () => {
    const answers = [{ status: 302 }, { status: 200, body: "<html>" }, { status: 200 }];
    const bank = xs2a({ url, http: answering(...answers, { status: 204 }), seal });
    for (const { status } of answers) {
      const reply = await bank.consent("c-1");
      expect(reply).toMatchObject({ status, ok: false, body: { tppMessages: [] } });
    }
    expect(granted(await bank.deleteConsent("c-1"))).toBeUndefined();
  });

  it("tells no reason when the answer is not in the standard's form", async () => {
    const http = answering(
      { status: 502, body: "<html>" },
      { status: 502, body: { tppMessages: [null] } },
      { status: 500 },
    );
    const bank = xs2a({ url, http, seal });
    expect((await bank.consent("c-1")).body).toEqual({ tppMessages: [] });
    expect((await bank.consent("c-1")).body).toEqual({ tppMessages: [] });
    expect((await bank.consent("c-1")).body).toEqual({ tppMessages: [] });
  });
});
