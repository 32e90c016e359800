import type { PaymentProduct } from "@/lib/domain/payment/payment-product";

type Codes = {
  /** As the debtor's account has it. */
  readonly sent: string;
  /** As the creditor's account has it. */
  readonly received: string;
};

/** ISO 20022 bank transaction codes: payments, then the family, then SEPA, domestic, same day or cross-border. */
export const transactionCodes: Readonly<Record<PaymentProduct, Codes>> = {
  "sepa-credit-transfers": { sent: "PMNT-ICDT-ESCT", received: "PMNT-RCDT-ESCT" },
  "instant-sepa-credit-transfers": { sent: "PMNT-IRCT-DMCT", received: "PMNT-RRCT-DMCT" },
  "target-2-payments": { sent: "PMNT-ICDT-SDVA", received: "PMNT-RCDT-SDVA" },
  "cross-border-credit-transfers": { sent: "PMNT-ICDT-XBCT", received: "PMNT-RCDT-XBCT" },
};

export const CHARGES = "PMNT-ICDT-CHRG";
export const PAYMENT_RETURNED = "PMNT-ICDT-RRTN";
