import { z } from "zod";
import type { Payment, PaymentRejection } from "@/lib/domain/payment/payment";
import { transactionTransitions } from "@/lib/domain/payment/transaction-status";
import { answering } from "../answers";

export const transactionStatus = z.enum(
  Object.keys(transactionTransitions) as (keyof typeof transactionTransitions)[],
);

const status = z.strictObject({
  transactionStatus,
  fundsAvailable: z.boolean().optional(),
  psuMessage: z.string().max(500).optional(),
  tppMessages: z
    .array(
      z.strictObject({
        category: z.literal("WARNING"),
        code: z.literal("FUNDS_NOT_AVAILABLE"),
        text: z.string().max(500),
      }),
    )
    .optional(),
});

/**
 * What the TPP may show the PSU. It passes through the TPP's hands, so it says what to do about it
 * and nothing that only bank and PSU know: no balance, no limit's height, no name.
 */
const REJECTED: Readonly<Record<PaymentRejection, string>> = {
  cancelled: "The payment was not confirmed.",
  "too-many-tries": "The payment was not confirmed: there were too many wrong entries.",
  "psu-blocked": "The payment was not confirmed. Please contact your bank.",
  "window-over": "The payment was not confirmed in time. Please start it again.",
  "withdrawn-by-tpp": "The payment was withdrawn.",
  "not-own-account": "This account cannot be used for the payment.",
  "account-gone": "This account cannot be used for the payment.",
  "tpp-blocked": "The payment was not confirmed. Please contact your bank.",
  "account-blocked": "This account cannot be used for payments. Please contact your bank.",
  "psu-limit": "The amount is above your limit. Your bank can tell you more.",
  "day-limit": "The amount is above what is left of your limit for today.",
  "no-funds": "The account did not have enough funds for the payment.",
  "creditor-account-closed": "The payee's account cannot receive the payment.",
};

const WITHOUT_FUNDS = "there are not sufficient funds for this payment";

/** Where the payment stands. Names of owners are not told: nobody has consented to it. */
export const paymentStatusRead = answering(
  { status: 200, description: "Where the payment stands.", body: status },
  (payment: Payment) => {
    const { status: now, reason } = payment;
    const fundsAvailable = fundsKnown(payment);
    const lacksFunds = now === "PDNG" || reason === "no-funds" || fundsAvailable === false;
    const remark = { category: "WARNING", code: "FUNDS_NOT_AVAILABLE", text: WITHOUT_FUNDS };
    const value = {
      transactionStatus: now,
      ...(fundsAvailable !== undefined && { fundsAvailable }),
      ...(reason !== undefined && { psuMessage: REJECTED[reason] }),
      ...(lacksFunds && { tppMessages: [remark] }),
    };
    return { value };
  },
);

/** The standard has it after the check and before the execution only. */
function fundsKnown({ status: now, fundsAvailable }: Payment): boolean | undefined {
  return now === "ACTC" || now === "ACCP" ? fundsAvailable : undefined;
}
