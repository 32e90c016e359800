import { describe, expect, it } from "vitest";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import {
  CREDITOR,
  DEBTOR,
  faultsIn,
  PRODUCTS,
  pay,
  paymentBody,
  paymentFaults,
  sepa,
} from "../testing/payment-request";

const instant = "instant-sepa-credit-transfers";
const target2 = "target-2-payments";
const crossBorder = "cross-border-credit-transfers";
const needs = {
  every: ["creditorAccount", "creditorName", "debtorAccount", "instructedAmount"],
  abroad: ["creditorAddress", "creditorAgent"],
} as const;

describe("a payment has", () => {
  it.each(PRODUCTS)("what %s requires, and is refused without any of it", (product) => {
    expect(paymentFaults(product, paymentBody(product))).toEqual([]);
    const required = [...needs.every, ...(product === crossBorder ? needs.abroad : [])];
    const paths = paymentFaults(product, {}).map(([, path]) => path);
    expect([...paths].sort()).toEqual(required.sort());
    for (const name of required) {
      const body = paymentBody(product, { [name]: undefined });
      expect(paymentFaults(product, JSON.parse(JSON.stringify(body)))).toEqual([
        ["FORMAT_ERROR", name],
      ]);
    }
  });

  it.each<readonly [string, unknown, readonly PaymentProduct[]]>([
    ["creditorAgent", "COBADEFF", PRODUCTS],
    ["creditorAddress", { country: "DE", townName: "Köln", postCode: "50667" }, PRODUCTS],
    ["remittanceInformationUnstructured", "Order 4711", PRODUCTS],
    ["endToEndIdentification", "E2E-1", [sepa, instant, target2]],
    ["chargeBearer", "SHAR", [target2, crossBorder]],
  ])("%s where the product has it, and nowhere else", (name, value, having) => {
    for (const product of PRODUCTS) {
      const faults = paymentFaults(product, paymentBody(product, { [name]: value }));
      expect(faults).toEqual(having.includes(product) ? [] : [["FORMAT_ERROR", name]]);
    }
  });

  it("the charges borne as its product has it when nobody is named", () => {
    const bearer = (product: PaymentProduct, changed = {}) =>
      pay(product, paymentBody(product, changed)).order.chargeBearer;
    expect([sepa, instant, target2, crossBorder].map((name) => bearer(name as never))).toEqual([
      "SLEV",
      "SLEV",
      "SHAR",
      "SHAR",
    ]);
    expect(bearer(target2, { chargeBearer: "DEBT" })).toBe("DEBT");
    expect(paymentFaults(target2, paymentBody(target2, { chargeBearer: "debt" }))).toEqual([
      ["FORMAT_ERROR", "chargeBearer"],
    ]);
  });
});

/** Of services that are not offered, and what the standard leaves to a bank to add. */
const notHere = [
  "requestedExecutionDate",
  "requestedExecutionTime",
  "executionRule",
  "frequency",
  "batchBookingPreferred",
  "startDate",
  "endDate",
  "dayOfExecution",
  "creditorAgentName",
  "instructionIdentification",
  "debtorName",
  "debtorId",
  "ultimateDebtor",
  "ultimateCreditor",
  "creditorId",
  "purposeCode",
  "serviceLevel",
  "currencyOfTransfer",
  "exchangeRateInformation",
  "remittanceInformationUnstructuredArray",
  "remittanceInformationStructured",
  "remittanceInformationStructuredArray",
  "paymentInformationId",
  "payments",
  "surprise",
];

describe("a payment is refused with the path of", () => {
  it.each(notHere)("%s, whatever the product", (name) => {
    for (const product of PRODUCTS) {
      for (const value of ["2026-12-24", true, null]) {
        expect(paymentFaults(product, paymentBody(product, { [name]: value }))).toEqual([
          ["FORMAT_ERROR", name],
        ]);
      }
    }
  });

  it.each<readonly [string, unknown, string]>([
    ["creditorAddress", { country: "DE", floor: 3 }, "creditorAddress.floor"],
    ["creditorAddress", { country: "de" }, "creditorAddress.country"],
    ["creditorAddress", { townName: "Köln" }, "creditorAddress.country"],
    ["creditorAddress", "Köln", "creditorAddress"],
    ["instructedAmount", { currency: "EUR", amount: "1", fee: "0" }, "instructedAmount.fee"],
    ["instructedAmount", { amount: "1" }, "instructedAmount.currency"],
    ["instructedAmount", "1 EUR", "instructedAmount"],
    ["creditorName", "x".repeat(71), "creditorName"],
    ["creditorName", "", "creditorName"],
    ["creditorName", 7, "creditorName"],
    ["endToEndIdentification", "x".repeat(36), "endToEndIdentification"],
    ["remittanceInformationUnstructured", "x".repeat(141), "remittanceInformationUnstructured"],
  ])("%s %j", (name, value, path) => {
    expect(faultsIn({ [name]: value })).toEqual([["FORMAT_ERROR", path]]);
  });

  it("every fault at once, an entry each", () => {
    const faults = paymentFaults(sepa, {
      debtorAccount: { iban: DEBTOR, currency: "XXX" },
      instructedAmount: { currency: "USD", amount: "0" },
      creditorAccount: { iban: "x", bban: "1" },
      creditorAgent: "COBADEFFXXX",
      chargeBearer: "SHAR",
      requestedExecutionDate: "2026-12-24",
    });
    expect(faults.map(([, path]) => path).sort()).toEqual([
      "chargeBearer",
      "creditorAccount.bban",
      "creditorAccount.iban",
      "creditorAgent",
      "creditorName",
      "debtorAccount.currency",
      "instructedAmount.amount",
      "instructedAmount.currency",
      "requestedExecutionDate",
    ]);
  });

  it.each([undefined, null, [], "text", 1])("a body that is %j", (body) => {
    expect(paymentFaults(sepa, body)).toEqual([["FORMAT_ERROR", undefined]]);
  });

  it("X4: a prototype in place of a field", () => {
    const body = JSON.parse(
      `{"__proto__":{"creditorName":"x"},${JSON.stringify(paymentBody(sepa)).slice(1)}`,
    );
    expect(paymentFaults(sepa, body)).toEqual([["FORMAT_ERROR", "__proto__"]]);
  });
});

describe("the order", () => {
  it("is what was sent in the bank's words, the instruction is it word for word", () => {
    const body = paymentBody(target2, {
      debtorAccount: { iban: DEBTOR.toLowerCase(), currency: "EUR", cashAccountType: "CACC" },
      creditorAgent: "COBADEFF",
      creditorAddress: { country: "DE" },
      endToEndIdentification: "E2E-1",
      remittanceInformationUnstructured: "Order 4711",
      chargeBearer: "CRED",
    });
    expect(pay(target2, body)).toEqual({
      instruction: body,
      order: {
        product: target2,
        amount: { currency: "EUR", minorUnits: 1_250n },
        debtor: { iban: DEBTOR, currency: "EUR" },
        creditor: {
          name: "Merchant GmbH",
          iban: CREDITOR,
          agent: "COBADEFF",
          address: { country: "DE" },
        },
        endToEndId: "E2E-1",
        remittance: "Order 4711",
        chargeBearer: "CRED",
      },
    });
  });
});
