import { granted, type PaymentRequest, PISP } from "@/clients/typescript/src";
import { crossBorder, instant, type PaymentOrder, sepa } from "../harness/payment-request";
import { expectRefusal, seen } from "../harness/refusals";
import { UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";

const target2: PaymentOrder = {
  product: "target-2-payments",
  payment: { ...sepa().payment, chargeBearer: "DEBT" },
};
/** Every product with what it may carry. */
const orders: readonly (readonly [order: PaymentOrder, fee: string | undefined])[] = [
  [sepa({ endToEndIdentification: "E2E-1", creditorAgent: "COBADEFF" }), undefined],
  [instant(), undefined],
  [target2, "6.00"],
  [crossBorder({ instructedAmount: { currency: "USD", amount: "12.5" } }), "10.00"],
];

for (const [{ product, payment }, fee] of orders) {
  test(`POST /v1/payments/${product} answers 201 with the payment's id, absolute links and its headers`, async ({
    tpp,
    bank,
  }) => {
    const requestId = crypto.randomUUID();
    const reply = await tpp.bank.createPayment(product, payment, tpp, {
      headers: { "x-request-id": requestId },
    });
    const { paymentId, ...rest } = granted(reply);
    const self = `${bank.xs2aUrl}${PISP}/payments/${product}/${paymentId}`;
    expect(reply.status).toBe(201);
    expect(paymentId).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toEqual({
      transactionStatus: "RCVD",
      transactionFeeIndicator: fee !== undefined,
      ...(fee !== undefined && { transactionFees: { currency: "EUR", amount: fee } }),
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
      "x-fapi-interaction-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "cache-control": "no-store",
    });
    expect(reply.headers).not.toHaveProperty("aspsp-notification-support");
  });

  test(`a new ${product} payment is read as it was sent, its status and scaStatus with it`, async ({
    tpp,
  }) => {
    const asked = await tpp.askToPay({ product, payment });
    const { bank } = tpp;
    expect(granted(await bank.payment(asked))).toEqual({ ...payment, transactionStatus: "RCVD" });
    expect(granted(await bank.paymentStatus(asked))).toEqual({ transactionStatus: "RCVD" });
    const { authorisationIds } = granted(await bank.paymentAuthorisations(asked));
    expect(authorisationIds).toEqual([asked.authorisationId]);
    const { scaStatus } = granted(await bank.paymentScaStatus(asked, asked.authorisationId));
    expect(scaStatus).toBe("received");
  });
}

test("the links of a new payment lead to it", async ({ tpp }) => {
  const { product, payment } = sepa();
  const { _links } = granted(await tpp.bank.createPayment(product, payment, tpp));
  for (const link of [_links.self, _links.status, _links.scaStatus]) {
    expect((await tpp.bank.call("GET", link.href)).status).toBe(200);
  }
});

test("an IBAN in small letters is the same account, and is told in capitals", async ({ tpp }) => {
  const { debtorAccount } = sepa().payment;
  const small = { iban: debtorAccount.iban.toLowerCase(), currency: "EUR" };
  const asked = await tpp.askToPay(sepa({ debtorAccount: small }));
  const read = granted(await tpp.bank.payment(asked));
  expect(read.debtorAccount).toEqual({ ...debtorAccount, currency: "EUR" });
});

test("DELETE is 405 CANCELLATION_INVALID with Allow, and the payment stays as it is", async ({
  tpp,
}) => {
  const asked = await tpp.askToPay();
  const reply = await tpp.bank.deletePayment(asked);
  expectRefusal(reply, 405, "CANCELLATION_INVALID");
  expect(reply.headers["allow"]).toBe("GET");
  expect(granted(await tpp.bank.paymentStatus(asked)).transactionStatus).toBe("RCVD");
  const { scaStatus } = granted(await tpp.bank.paymentScaStatus(asked, asked.authorisationId));
  expect(scaStatus).toBe("received");
});

test("under another product a payment is 403 PRODUCT_INVALID on every path", async ({ tpp }) => {
  const { paymentId, authorisationId } = await tpp.askToPay();
  const other = { product: "target-2-payments", paymentId };
  const { bank } = tpp;
  expectRefusal(await bank.payment(other), 403, "PRODUCT_INVALID");
  expectRefusal(await bank.paymentStatus(other), 403, "PRODUCT_INVALID");
  expectRefusal(await bank.deletePayment(other), 403, "PRODUCT_INVALID");
  expectRefusal(await bank.paymentAuthorisations(other), 403, "PRODUCT_INVALID");
  expectRefusal(await bank.paymentScaStatus(other, authorisationId), 403, "PRODUCT_INVALID");
});

test("O1: another TPP's payment is on every path as unknown as one that is not there", async ({
  tpp,
  newTpp,
}) => {
  const { product, paymentId, authorisationId } = await tpp.askToPay();
  const { bank } = await newTpp();
  const calls = [bank.payment, bank.paymentStatus, bank.deletePayment, bank.paymentAuthorisations];
  const scaStatus = (address: { product: string; paymentId: string }) =>
    bank.paymentScaStatus(address, authorisationId);
  for (const call of [...calls, scaStatus]) {
    const foreign = await call({ product, paymentId });
    expectRefusal(foreign, 404, "RESOURCE_UNKNOWN");
    for (const id of [UNKNOWN_ID, "x", "a b", "%00"]) {
      expect(seen(await call({ product, paymentId: id }))).toEqual(seen(foreign));
    }
  }
});

test("an authorisation is found under its own payment only", async ({ tpp }) => {
  const [one, other] = [await tpp.askToPay(), await tpp.askToPay()];
  for (const id of [other.authorisationId, UNKNOWN_ID, "x"]) {
    expectRefusal(await tpp.bank.paymentScaStatus(one, id), 404, "RESOURCE_UNKNOWN");
  }
  const upper = one.paymentId.toUpperCase();
  const { status } = await tpp.bank.paymentStatus({ ...one, paymentId: upper });
  expect(status).toBe(200);
});

test("O11: a token sent with a payment's call must be of this payment", async ({ tpp, shared }) => {
  const asked = await tpp.askToPay();
  const send = (authorization: string) => ({ headers: { authorization } });
  for (const token of ["Bearer nonsense", "Basic x", `Bearer ${shared.grant.accessToken}`]) {
    expectRefusal(await tpp.bank.payment(asked, send(token)), 401, "TOKEN_UNKNOWN");
    expectRefusal(await tpp.bank.paymentStatus(asked, send(token)), 401, "TOKEN_UNKNOWN");
  }
  const own = await shared.tpp.askToPay();
  const ais = send(`Bearer ${shared.grant.accessToken}`);
  expectRefusal(await shared.tpp.bank.payment(own, ais), 401, "TOKEN_INVALID");
  expectRefusal(await shared.tpp.bank.deletePayment(own, ais), 401, "TOKEN_INVALID");
});

test("a payment above the bank's limit is 400 PAYMENT_FAILED, and one up to it is not", async ({
  tpp,
}) => {
  const create = (order: PaymentOrder) => tpp.bank.createPayment(order.product, order.payment, tpp);
  const eur = (amount: string): Partial<PaymentRequest> => ({
    instructedAmount: { currency: "EUR", amount },
  });
  expect((await create(sepa(eur("15000.00")))).status).toBe(201);
  const refused = await create(sepa(eur("15000.01")));
  expectRefusal(refused, 400, "PAYMENT_FAILED", "instructedAmount.amount");
  const ron = { instructedAmount: { currency: "RON", amount: "50000.01" } };
  expectRefusal(await create(instant(ron)), 400, "PAYMENT_FAILED", "instructedAmount.amount");
  const abroad = { instructedAmount: { currency: "USD", amount: "17400.02" } };
  const far = await create(crossBorder(abroad));
  expectRefusal(far, 400, "PAYMENT_FAILED", "instructedAmount.amount");
});

test("X13: the Host header has no say in the links of a payment", async ({ tpp, bank }) => {
  const { product, payment } = sepa();
  const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
  const reply = await tpp.bank.createPayment(product, payment, tpp, { headers });
  expect(reply.status).toBe(201);
  expect(JSON.stringify(reply.body)).not.toContain("evil.example");
  expect(reply.headers["location"]).toContain(bank.xs2aUrl);
});
