import {
  granted,
  type PaymentRequest,
  type Reply,
  type SignedRequest,
} from "@/clients/typescript/src";
import { consentRequest } from "../harness/consent-request";
import { instant, sepa } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { expect, test } from "../harness/test";
import type { TestTpp } from "../harness/test-tpp";

const { product, payment } = sepa();
const tooMuch = { ...payment, instructedAmount: { currency: "EUR", amount: "15000.01" } };

/** A payment under this X-Request-ID, whatever it asks. */
const send = (tpp: TestTpp, requestId: string, body: unknown = payment, under = product) =>
  tpp.bank.createPayment(under, body as PaymentRequest, tpp, {
    headers: { "x-request-id": requestId },
  });
const kept = ({ status, headers, body }: Reply<unknown>) => {
  const { location, "content-type": type } = headers;
  return { status, body: JSON.stringify(body), location, type };
};

const repeats: readonly (readonly [what: string, body: unknown])[] = [
  ["the same body", payment],
  ["another amount", { ...payment, instructedAmount: { currency: "EUR", amount: "999.00" } }],
  ["another payee", { ...payment, creditorName: "Somebody else" }],
  ["an amount above the limit", tooMuch],
  ["a body that is refused by itself", { ...payment, frequency: "Daily" }],
  ["an empty object", {}],
];
for (const [what, body] of repeats) {
  test(`B9: a repeated X-Request-ID with ${what} gets the first answer, and no second payment`, async ({
    tpp,
  }) => {
    const requestId = crypto.randomUUID();
    const first = await send(tpp, requestId);
    const { paymentId } = granted(first);
    expect(kept(await send(tpp, requestId, body))).toEqual(kept(first));
    const { transactionStatus: _, ...instruction } = granted(
      await tpp.bank.payment({ product, paymentId }),
    );
    expect(instruction).toEqual(payment);
  });
}

test("B9: the refusal by a rule of the bank is the answer for good", async ({ tpp }) => {
  const requestId = crypto.randomUUID();
  const first = await send(tpp, requestId, tooMuch);
  expectRefusal(first, 400, "PAYMENT_FAILED", "instructedAmount.amount");
  expect(kept(await send(tpp, requestId))).toEqual(kept(first));
});

test("B9: a request that was refused for its form may be mended and sent again", async ({
  tpp,
}) => {
  const requestId = crypto.randomUUID();
  const wrong = await send(tpp, requestId, { ...payment, creditorName: "" });
  expectRefusal(wrong, 400, "FORMAT_ERROR", "creditorName");
  expect((await send(tpp, requestId)).status).toBe(201);
});

test("B9: under another product it is the same request still", async ({ tpp }) => {
  const requestId = crypto.randomUUID();
  const first = await send(tpp, requestId);
  const other = instant();
  expect(kept(await send(tpp, requestId, other.payment, other.product))).toEqual(kept(first));
});

test("B9: 50 at once are one payment, and all hear of that one", async ({ tpp }) => {
  const requestId = crypto.randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const amount = `${index + 1}.00`;
      return send(tpp, requestId, { ...payment, instructedAmount: { currency: "EUR", amount } });
    }),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(kept(answer)))).size).toBe(1);
});

test("O1: another TPP's same X-Request-ID is a payment of its own", async ({ tpp, newTpp }) => {
  const requestId = crypto.randomUUID();
  const first = granted(await send(tpp, requestId));
  const other = await newTpp();
  const reply = await send(other, requestId, { ...payment, creditorName: "Other GmbH" });
  const { paymentId } = granted(reply);
  expect(paymentId).not.toBe(first.paymentId);
  expect(JSON.stringify(reply)).not.toContain(first.paymentId);
  const address = { product, paymentId };
  expect(granted(await other.bank.payment(address)).creditorName).toBe("Other GmbH");
  expectRefusal(await tpp.bank.payment(address), 404, "RESOURCE_UNKNOWN");
});

test("S9: a captured request for a payment, replayed as it was, gets the first answer", async ({
  tpp,
}) => {
  const captured: SignedRequest[] = [];
  const edit = (request: SignedRequest) => {
    captured.push(request);
    return captured[0] ?? request;
  };
  const first = await tpp.bank.createPayment(product, payment, tpp, { edit });
  const again = await tpp.bank.createPayment(product, payment, tpp, { edit });
  expect(granted(first).transactionStatus).toBe("RCVD");
  expect(kept(again)).toEqual(kept(first));
});

test("S9: a captured request for a consent, replayed as it was, creates nothing", async ({
  tpp,
}) => {
  const captured: SignedRequest[] = [];
  const edit = (request: SignedRequest) => {
    captured.push(request);
    return captured[0] ?? request;
  };
  const create = () => tpp.bank.createConsent(consentRequest(), tpp, { edit });
  const first = await create();
  expect(first.status).toBe(201);
  expect(kept(await create())).toEqual(kept(first));
});

test("S9: 20 consents at once under one X-Request-ID are one", async ({ tpp, newTpp }) => {
  const headers = { "x-request-id": crypto.randomUUID() };
  const create = (from: TestTpp) => from.bank.createConsent(consentRequest(), from, { headers });
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(tpp)));
  const consentIds = answers.map((answer) => granted(answer).consentId);
  expect(new Set(consentIds).size).toBe(1);
  expect(consentIds).not.toContain(granted(await create(await newTpp())).consentId);
});
