import { z } from "zod";
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
  .object({ iban: z.string().regex(/^[^a-z]+$/) })
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
  const fee = feeOf(order, profile);
  const isCharged = fee.minorUnits > 0n;
  const value = {
    transactionStatus: started.status,
    paymentId: id,
    transactionFeeIndicator: isCharged,
    transactionFees: isCharged ? toAmount(fee) : undefined,
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
  ({ instruction, status }: Payment) => {
    const sent = instruction as Sent;
    const accounts = {
      debtorAccount: inCapitals(sent.debtorAccount),
      creditorAccount: inCapitals(sent.creditorAccount),
    };
    return { value: { ...sent, ...accounts, transactionStatus: status } };
  },
);

/** What has been accepted has these, whatever else it has. */
type Sent = { readonly debtorAccount: AccountSent; readonly creditorAccount: AccountSent };
type AccountSent = { readonly iban: string };

function inCapitals(account: AccountSent): AccountSent {
  return { ...account, iban: account.iban.toUpperCase() };
}
