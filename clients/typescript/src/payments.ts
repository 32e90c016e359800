import { type Call, type CallOptions, type Redirects, visitHeaders } from "./call";
import type { Reply } from "./reply";
import type { PaymentCreated, PaymentInstruction, PaymentRequest, PaymentStatus } from "./wire";

export const PISP = "/open-banking/v3.1/pisp/v1";

/** A payment at its bank: the id alone is not an address. */
export type PaymentAddress = { readonly product: string; readonly paymentId: string };

/** What each status says to somebody who waits; ISO 20022 ExternalPaymentTransactionStatus1Code. */
export const transactionStatusMeanings: Readonly<Record<string, string>> = {
  RCVD: "received, not authorised",
  ACTC: "authorised by the PSU",
  ACCP: "accepted by the bank",
  PDNG: "waits for funds",
  ACSP: "in execution",
  ACSC: "settled on the debtor's account",
  ACCC: "settled on the creditor's account",
  RJCT: "rejected",
};

type Payments = { readonly call: Call; readonly psuIpAddress: string | undefined };

/** Payment initiation: single payments, as the standard has them. */
export function payments({ call, psuIpAddress }: Payments) {
  const get = <Body>(target: string, more?: CallOptions) => call<Body>("GET", target, more);
  const productPath = (product: string) => `${PISP}/payments/${encodeURIComponent(product)}`;
  const pathOf = ({ product, paymentId }: PaymentAddress) =>
    `${productPath(product)}/${encodeURIComponent(paymentId)}`;

  return {
    /** Repeated with the same `x-request-id` in `more.headers`, it gets the first answer again. */
    createPayment: async (
      product: string,
      payment: PaymentRequest,
      redirects: Redirects,
      more: CallOptions = {},
    ): Promise<Reply<PaymentCreated>> =>
      call<PaymentCreated>("POST", productPath(product), {
        ...more,
        body: payment,
        headers: visitHeaders(psuIpAddress, redirects, more),
      }),
    payment: (address: PaymentAddress, more?: CallOptions) =>
      get<PaymentInstruction>(pathOf(address), more),
    paymentStatus: (address: PaymentAddress, more?: CallOptions) =>
      get<PaymentStatus>(`${pathOf(address)}/status`, more),
    deletePayment: (address: PaymentAddress, more?: CallOptions) =>
      call<undefined>("DELETE", pathOf(address), more),
    paymentAuthorisations: (address: PaymentAddress, more?: CallOptions) =>
      get<{ readonly authorisationIds: readonly string[] }>(
        `${pathOf(address)}/authorisations`,
        more,
      ),
    paymentScaStatus: (address: PaymentAddress, authorisationId: string, more?: CallOptions) =>
      get<{ readonly scaStatus: string }>(
        `${pathOf(address)}/authorisations/${encodeURIComponent(authorisationId)}`,
        more,
      ),
  };
}
