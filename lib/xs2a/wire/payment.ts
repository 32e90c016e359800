import { z } from "zod";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { feeOf } from "@/lib/domain/payment/debit";
import type { Payment } from "@/lib/domain/payment/payment";
import type { Answer } from "../endpoint";
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
const account = z.looseObject({ iban: z.string().toUpperCase() });

const payment = z.looseObject({
  debtorAccount: account,
  instructedAmount: z.strictObject({ currency: z.string(), amount: z.string() }),
  creditorAccount: account,
  creditorName: z.string(),
  transactionStatus,
});

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
  return { status: 201, headers, body: { schema: created, value } };
}

/** The instruction as it was sent, and where it stands now. */
export function paymentRead({ instruction, status }: Payment): Answer {
  const value = { ...(instruction as object), transactionStatus: status };
  return { status: 200, body: { schema: payment, value } };
}

function fees({ order }: Payment, profile: AspspProfile) {
  const fee = feeOf(order, profile);
  return fee.minorUnits > 0n
    ? { transactionFeeIndicator: true, transactionFees: toAmount(fee) }
    : { transactionFeeIndicator: false };
}
