import { answerAgain } from "@/lib/domain/payment/answer-again";
import type { initiatePayment } from "@/lib/domain/payment/initiate-payment";
import type { StoredAnswer } from "@/lib/domain/payment/payment-store";
import type { Call, Caller } from "./endpoint";
import type { Xs2aPorts } from "./ports";
import { digestOf } from "./read-body";
import { written, writtenRefusal } from "./reply";
import { type PaymentHeaders, wayBackOf } from "./wire/headers";
import { paymentInitiated } from "./wire/payment";
import type { PaymentRequest } from "./wire/payment-request";

type PaymentCall = Call<PaymentHeaders, unknown, unknown, PaymentRequest, undefined>;
type Asked = Parameters<typeof initiatePayment>[1];

/** `X-Request-ID` is the idempotency key of a payment: who repeats it hears the first answer again. */
export async function answeredBefore(
  { qwac, requestId, bytes, now }: Caller,
  ports: Pick<Xs2aPorts, "payments" | "auditLog">,
): Promise<StoredAnswer | undefined> {
  const key = { tppId: qwac.tpp.id, requestId };
  const first = await ports.payments.firstAnswer(key);
  return first && answerAgain(ports, { first, key, bodyDigest: digestOf(bytes), now });
}

/** A request for a payment in the domain's words, with the hand that writes its answer. */
export function paymentAsked(call: PaymentCall, ports: Xs2aPorts): Asked {
  const { headers, body } = call;
  const { order } = body;
  return {
    tpp: call.qwac.tpp,
    knownTpp: call.knownTpp,
    requestId: call.requestId,
    bodyDigest: digestOf(call.bytes),
    order: {
      product: order.product,
      amount: order.amount,
      debtor: order.debtor,
      creditor: order.creditor,
      endToEndId: order.endToEndId,
      remittance: order.remittance,
      chargeBearer: order.chargeBearer,
      rejectWithoutFunds: headers["tpp-rejection-nofunds-preferred"],
    },
    instruction: body.instruction,
    wayBack: wayBackOf(headers),
    loginHint: headers["psu-id"],
    now: call.now,
    writer: {
      initiated: (payment) => written(paymentInitiated(payment, ports)),
      refused: (rejection) => writtenRefusal(rejection, call),
    },
  };
}
