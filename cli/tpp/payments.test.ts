import { describe, expect, it } from "vitest";
import type { HttpRequest } from "./http";
import { digest } from "./signing";
import { answering } from "./testing/http";
import { sealForTests } from "./testing/seal";
import { PISP, xs2a } from "./xs2a";

const url = "https://xs2a.bank.example";
const seal = sealForTests("rsa");
const payment = {
  debtorAccount: { iban: "RO49AAAA1B31007593840000" },
  instructedAmount: { currency: "EUR", amount: "12.50" },
  creditorAccount: { iban: "DE89370400440532013000" },
  creditorName: "Merchant GmbH",
};
const product = "sepa-credit-transfers";
const address = { product, paymentId: "p-1" };
const headersOf = (request: HttpRequest | undefined) =>
  request?.headers as Readonly<Record<string, string>>;

describe("a payment of the TPP", () => {
  it("is sent to its product, with its redirect URIs, both signed, and the PSU's address", async () => {
    const http = answering({ status: 201, body: { paymentId: "p-1" } });
    const bank = xs2a({ url, http, seal, psuIpAddress: "192.0.2.1" });
    const redirects = {
      redirectUri: "https://tpp.example/cb",
      nokRedirectUri: "https://tpp.example/nok",
    };
    await bank.createPayment(product, payment, redirects);
    const [sent] = http.sent;
    expect([sent?.method, sent?.url]).toEqual(["POST", `${url}${PISP}/payments/${product}`]);
    expect(headersOf(sent)).toMatchObject({
      "psu-ip-address": "192.0.2.1",
      "tpp-redirect-uri": "https://tpp.example/cb",
      digest: digest(Buffer.from(JSON.stringify(payment))),
    });
    expect(headersOf(sent)["signature"]).toContain(
      'headers="digest x-request-id date tpp-redirect-uri tpp-nok-redirect-uri"',
    );
  });

  it("can be repeated under its X-Request-ID", async () => {
    const http = answering({ status: 201 }, { status: 201 });
    const bank = xs2a({ url, http, seal });
    const more = { headers: { "x-request-id": "99391c7e-ad88-49ec-a2ad-99ddcb1f7721" } };
    const redirects = { redirectUri: "https://tpp.example/cb" };
    await bank.createPayment(product, payment, redirects, more);
    await bank.createPayment(product, payment, redirects, more);
    const ids = http.sent.map((sent) => headersOf(sent)["x-request-id"]);
    expect(ids).toEqual([more.headers["x-request-id"], more.headers["x-request-id"]]);
  });

  it("has its details, status and authorisations under its own path", async () => {
    const http = answering(...Array.from({ length: 5 }, () => ({ status: 200, body: {} })));
    const bank = xs2a({ url, http, seal });
    await bank.payment(address);
    await bank.paymentStatus(address);
    await bank.deletePayment(address);
    await bank.paymentAuthorisations(address);
    await bank.paymentScaStatus(address, "a-1");
    const own = `${url}${PISP}/payments/${product}/p-1`;
    expect(http.sent.map((sent) => `${sent.method} ${sent.url}`)).toEqual([
      `GET ${own}`,
      `GET ${own}/status`,
      `DELETE ${own}`,
      `GET ${own}/authorisations`,
      `GET ${own}/authorisations/a-1`,
    ]);
  });

  it("lets no id of the bank change the path it is put into", async () => {
    const http = answering({ status: 404, body: {} });
    const hostile = { product: "../x", paymentId: "../y?a" };
    await xs2a({ url, http, seal }).payment(hostile);
    expect(http.sent[0]?.url).toBe(`${url}${PISP}/payments/..%2Fx/..%2Fy%3Fa`);
  });
});
