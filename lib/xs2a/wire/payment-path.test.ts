import { describe, expect, it } from "vitest";
import type { Rejection } from "@/lib/domain/rejection";
import { parse } from "../parse";
import { circumstances } from "../testing/consent-request";
import { PRODUCTS } from "../testing/payment-request";
import { house } from "../testing/payments";
import { paymentAuthorisationPath, paymentPath, unknownProduct } from "./payment-path";

const id = "99391C7E-ad88-49ec-a2ad-99ddcb1f7721";
const at = (paymentService: string, paymentProduct: string, more = {}) => ({
  paymentService,
  paymentProduct,
  paymentId: id,
  ...more,
});
const refusal = (segments: Readonly<Record<string, unknown>>) => {
  try {
    parse("path", paymentPath, segments, circumstances);
  } catch (error) {
    const { status, faults } = error as Rejection;
    return { status, code: faults[0].code };
  }
  return undefined;
};

const unknown = [
  ["bulk-payments", "sepa-credit-transfers"],
  ["periodic-payments", "sepa-credit-transfers"],
  ["Payments", "sepa-credit-transfers"],
  ["payments", "pain.001-sepa-credit-transfers"],
  ["payments", "pain.001-instant-sepa-credit-transfers"],
  ["payments", "pain.001-target-2-payments"],
  ["payments", "pain.001-cross-border-credit-transfers"],
  ["payments", "SEPA-credit-transfers"],
  ["payments", "domestic"],
  ["payments", "constructor"],
  ["payments", "__proto__"],
  ["payments", ""],
] as const;

describe("the path of a payment", () => {
  it.each(PRODUCTS)("payments/%s is offered", (product) => {
    expect(unknownProduct(at("payments", product), house)).toBeUndefined();
    expect(parse("path", paymentPath, at("payments", product), circumstances)).toEqual({
      product,
      paymentId: id.toLowerCase(),
    });
  });

  it.each(unknown)("%s/%s is not: 404 PRODUCT_UNKNOWN", (service, product) => {
    const wanted = { status: 404, code: "PRODUCT_UNKNOWN" };
    const rejection = unknownProduct(at(service, product), house);
    expect(rejection).toMatchObject({ status: 404, faults: [{ code: "PRODUCT_UNKNOWN" }] });
    expect(refusal(at(service, product))).toEqual(wanted);
    expect(refusal(at(service, product, { paymentId: "x" }))).toEqual(wanted);
  });

  it("of an authorisation has its id too", () => {
    const segments = at("payments", "target-2-payments", { authorisationId: "A" });
    expect(parse("path", paymentAuthorisationPath, segments, circumstances)).toEqual({
      product: "target-2-payments",
      paymentId: id.toLowerCase(),
      authorisationId: "a",
    });
  });
});
