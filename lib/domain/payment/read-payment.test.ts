import { describe, expect, it } from "vitest";
import { newAuthorisationId, newPaymentId, type TppId } from "../identifiers";
import { paymentHouse } from "../testing/payments";
import { later, now, tpp } from "../testing/samples";
import {
  type PaymentOfTpp,
  readPayment,
  readPaymentAuthorisation,
  refuseCancellation,
} from "./read-payment";

const product = "sepa-credit-transfers";
const stranger = "PSDDE-BAFIN-1" as TppId;

async function opened() {
  const house = paymentHouse();
  const payment = await house.started();
  const own: PaymentOfTpp = { id: payment.id, product, tppId: tpp.id, now };
  return { ...house, payment, own };
}

const refusalOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);
type Use = (ports: Parameters<typeof readPayment>[0], asked: PaymentOfTpp) => Promise<unknown>;
const uses: readonly (readonly [string, Use])[] = [
  ["read", readPayment],
  ["cancelled", refuseCancellation],
  [
    "asked for its authorisation",
    (ports, asked) =>
      readPaymentAuthorisation(ports, { ...asked, authorisationId: newAuthorisationId() }),
  ],
];

describe("a payment", () => {
  it("is read by its own TPP, in whatever state", async () => {
    const { bank, ports, payment, own } = await opened();
    expect(await readPayment(ports, own)).toEqual(payment);
    for (const status of ["ACCP", "ACSC", "RJCT"] as const) {
      bank.payments.set(payment.id, { ...payment, status });
      expect(await readPayment(ports, own)).toMatchObject({ id: payment.id, status });
    }
  });

  it.each(uses)(
    "O1: of another TPP is, when %s, as unknown as one that is not there",
    async (_, use) => {
      const { ports, own } = await opened();
      const foreign = await refusalOf(use(ports, { ...own, tppId: stranger }));
      const unknown = await refusalOf(use(ports, { ...own, id: newPaymentId() }));
      expect(foreign).toMatchObject({ status: 404, faults: [{ code: "RESOURCE_UNKNOWN" }] });
      expect(unknown).toEqual(foreign);
    },
  );

  it.each(uses)("under another product is, when %s, 403 PRODUCT_INVALID", async (_, use) => {
    const { ports, own } = await opened();
    const other = { ...own, product: "target-2-payments" } as const;
    expect(await refusalOf(use(ports, other))).toMatchObject({
      status: 403,
      faults: [{ code: "PRODUCT_INVALID" }],
    });
    const foreign = await refusalOf(use(ports, { ...other, tppId: stranger }));
    expect(foreign).toMatchObject({ status: 404 });
  });
});

describe("the authorisation of a payment", () => {
  it("is found under its own payment only", async () => {
    const { ports, own, payment, started } = await opened();
    const { authorisationId } = payment;
    const found = await readPaymentAuthorisation(ports, { ...own, authorisationId });
    expect(found).toMatchObject({ id: authorisationId, scaStatus: "received" });
    const other = await started();
    for (const id of [other.authorisationId, newAuthorisationId()]) {
      const call = readPaymentAuthorisation(ports, { ...own, authorisationId: id });
      expect(await refusalOf(call)).toMatchObject({
        status: 404,
        faults: [{ code: "RESOURCE_UNKNOWN" }],
      });
    }
  });

  it("has failed once its window is over", async () => {
    const { ports, own, payment } = await opened();
    const { authorisationId } = payment;
    const late = { ...own, authorisationId, now: later(15) };
    expect(await readPaymentAuthorisation(ports, late)).toMatchObject({ scaStatus: "failed" });
  });
});

describe("the cancellation of a payment", () => {
  it("is not offered: 405 CANCELLATION_INVALID, and nothing changes", async () => {
    const { bank, ports, own, payment } = await opened();
    const authorisation = bank.authorisations.get(payment.authorisationId);
    expect(await refusalOf(refuseCancellation(ports, own))).toMatchObject({
      status: 405,
      faults: [{ code: "CANCELLATION_INVALID" }],
    });
    expect(bank.payments.get(payment.id)).toEqual(payment);
    expect(bank.authorisations.get(payment.authorisationId)).toEqual(authorisation);
  });
});
