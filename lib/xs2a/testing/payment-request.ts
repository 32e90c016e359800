import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import type { Rejection } from "@/lib/domain/rejection";
import { parse } from "../parse";
import { type PaymentRequest, paymentRequest } from "../wire/payment-request";
import { circumstances } from "./consent-request";

export const PRODUCTS = Object.keys(aspspProfile.payments.products) as readonly PaymentProduct[];
export const DEBTOR = "RO49AAAA1B31007593840000";
export const CREDITOR = "DE89370400440532013000";

const currencyOf = (product: PaymentProduct) =>
  aspspProfile.payments.products[product].currencies[0];
const abroad = { creditorAgent: "COBADEFF", creditorAddress: { country: "DE" } };

/** As little as the product needs, with these changes. */
export function paymentBody(
  product: PaymentProduct,
  changed: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    debtorAccount: { iban: DEBTOR },
    instructedAmount: { currency: currencyOf(product), amount: "12.50" },
    creditorAccount: { iban: CREDITOR },
    creditorName: "Merchant GmbH",
    ...(product === "cross-border-credit-transfers" ? abroad : {}),
    ...changed,
  };
}

export function pay(product: PaymentProduct, body: unknown): PaymentRequest {
  const schema = paymentRequest(circumstances, { product });
  return parse("body", schema, body, circumstances);
}

export type PaymentFault = readonly [code: string, path: string | undefined];

/** Code and path of each fault that refuses the body; none when it is accepted. */
export function paymentFaults(product: PaymentProduct, body: unknown): readonly PaymentFault[] {
  try {
    pay(product, body);
  } catch (error) {
    const rejection = error as Rejection;
    if (rejection.status !== 400) throw error;
    return rejection.faults.map(({ code, path }) => [code, path]);
  }
  return [];
}

export const sepa = "sepa-credit-transfers";
/** The faults of a SEPA payment that is sound but for these changes. */
export const faultsIn = (changed: Readonly<Record<string, unknown>>) =>
  paymentFaults(sepa, paymentBody(sepa, changed));
