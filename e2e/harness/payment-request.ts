import type { PaymentRequest } from "@/clients/typescript/src";

/** Accounts of the sandbox: ana's current account in RON, and hers in several currencies, first EUR. */
export const ANA_CURRENT = "RO06DRWB0001000000000101";
export const ANA_TRAVEL = "RO76DRWB0001000000000102";
export const MIHAI_CURRENT = "RO38DRWB0001000000000301";
/** Elena's company's: no spec reads its balance. */
export const COMPANY = "RO54DRWB0001000000000401";
/** At another bank. */
export const PAYEE = "DE89370400440532013000";

/** A payment and the product under which it is asked for. */
export type PaymentOrder = { readonly product: string; readonly payment: PaymentRequest };

/** 12.50 EUR from ana by SEPA, unless said otherwise. */
export function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    debtorAccount: { iban: ANA_TRAVEL },
    instructedAmount: { currency: "EUR", amount: "12.50" },
    creditorAccount: { iban: PAYEE },
    creditorName: "Merchant GmbH",
    remittanceInformationUnstructured: "Order 4711",
    ...changes,
  };
}

export function sepa(changes: Partial<PaymentRequest> = {}): PaymentOrder {
  return { product: "sepa-credit-transfers", payment: paymentRequest(changes) };
}

/** In RON, to another customer of this bank: done within seconds. */
export function instant(changes: Partial<PaymentRequest> = {}): PaymentOrder {
  const inRon = {
    debtorAccount: { iban: ANA_CURRENT },
    instructedAmount: { currency: "RON", amount: "25.00" },
    creditorAccount: { iban: COMPANY },
    creditorName: "Popescu Grafic SRL",
  };
  return {
    product: "instant-sepa-credit-transfers",
    payment: paymentRequest({ ...inRon, ...changes }),
  };
}

/** Abroad, with the bank and the country that finds it. */
export function crossBorder(changes: Partial<PaymentRequest> = {}): PaymentOrder {
  const abroad = { creditorAgent: "COBADEFF", creditorAddress: { country: "DE" } };
  return {
    product: "cross-border-credit-transfers",
    payment: paymentRequest({ ...abroad, ...changes }),
  };
}
