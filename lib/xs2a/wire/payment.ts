import { z } from "zod";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { feeOf } from "@/lib/domain/payment/debit";
import type { Payment } from "@/lib/domain/payment/payment";
import { type Answers, answering, headersOfCreation } from "../answers";
import type { Xs2aPorts } from "../ports";
import type { AnswerWithBody } from "../reply";
import { amountSent, toAmount } from "./amount";
import { link } from "./link";
import { transactionStatus } from "./payment-status";

const created = z.strictObject({
  transactionStatus,
  paymentId: z.uuid(),
  transactionFeeIndicator: z.boolean(),
  transactionFees: amountSent.optional(),
  _links: z.strictObject({ scaOAuth: link, self: link, status: link, scaStatus: link }),
});

/** In capitals: the standard knows an IBAN in no other letters, the bank reads it in any. */
const account = z
  .object({ iban: z.string().toUpperCase() })
  .catchall(z.unknown().describe("As it was sent."));

const payment = z
  .object({
    debtorAccount: account,
    instructedAmount: z.strictObject({ currency: z.string(), amount: z.string() }),
    creditorAccount: account,
    creditorName: z.string(),
    transactionStatus,
  })
  .catchall(z.unknown().describe("As it was sent."));

/** Its answer is written when the payment is made, and kept with it. */
export const initiated = {
  status: 201,
  description: "The payment is there, and waits for the PSU to authorise it.",
  headers: headersOfCreation,
  body: created,
} as const satisfies Answers;

export function paymentInitiated(
  started: Payment,
  { links, profile }: Pick<Xs2aPorts, "links" | "profile">,
): AnswerWithBody {
  const { id, order, authorisationId } = started;
  const self = `${links.pisp}/${profile.payments.service}/${order.product}/${id}`;
  const value = {
    transactionStatus: started.status,
    paymentId: id,
    ...fees(started, profile),
    _links: {
      scaOAuth: { href: links.scaOAuth },
      self: { href: self },
      status: { href: `${self}/status` },
      scaStatus: { href: `${self}/authorisations/${authorisationId}` },
    },
  };
  const headers = { location: self, "aspsp-sca-approach": "REDIRECT" };
  return { status: initiated.status, headers, body: { schema: initiated.body, value } };
}

/** The instruction as it was sent, and where it stands now. */
export const paymentRead = answering(
  { status: 200, description: "The payment as it was sent, and where it stands.", body: payment },
  ({ instruction, status }: Payment) => ({
    value: { ...(instruction as object), transactionStatus: status },
  }),
);

function fees({ order }: Payment, profile: AspspProfile) {
  const fee = feeOf(order, profile);
  return fee.minorUnits > 0n
    ? { transactionFeeIndicator: true, transactionFees: toAmount(fee) }
    : { transactionFeeIndicator: false };
}
