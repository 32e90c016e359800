import { newAuthorisationId, newPaymentId, type RequestId } from "../identifiers";
import type { Ports } from "../ports";
import type { Rejection } from "../rejection";
import type { WayBack } from "../sca/authorisation";
import { startedAuthorisation, tooManyOpen } from "../sca/started-authorisation";
import { meetTpp } from "../tpp/meet-tpp";
import type { Tpp } from "../tpp/tpp";
import { answerAgain } from "./answer-again";
import { aboveBankLimit } from "./bank-limit";
import type { Payment, PaymentOrder } from "./payment";
import type { Initiation, StoredAnswer } from "./payment-store";

/** How an answer is written, before it is known whether it is the first one to its request. */
export type AnswerWriter = {
  readonly initiated: (payment: Payment) => StoredAnswer;
  readonly refused: (rejection: Rejection) => StoredAnswer;
};

type Asked = {
  readonly tpp: Tpp;
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly requestId: RequestId;
  /** Of the request's bytes. */
  readonly bodyDigest: string;
  readonly order: PaymentOrder;
  /** The body word for word. */
  readonly instruction: unknown;
  readonly wayBack: WayBack;
  readonly loginHint?: string | undefined;
  readonly now: Date;
  readonly writer: AnswerWriter;
};

type InitiationPorts = Pick<Ports, "payments" | "tppRegister" | "auditLog" | "profile">;

/**
 * Starts a payment that waits for its PSU, or refuses it by a rule of the bank. The answer is kept in
 * the same transaction, so a request that arrives again gets it again and starts nothing: a TPP whose
 * connection broke may repeat until it hears. Yields the answer, 201 or 400 PAYMENT_FAILED; rejects with
 * 429 ACCESS_EXCEEDED, which is not kept, when too many of the TPP's authorisations are open.
 */
export async function initiatePayment(ports: InitiationPorts, asked: Asked): Promise<StoredAnswer> {
  const { tpp, requestId, bodyDigest, now } = asked;
  const key = { tppId: tpp.id, requestId };
  await meetTpp(ports, asked);
  const first = await ports.payments.initiate({
    key,
    bodyDigest,
    at: now,
    ...judged(ports, asked),
  });
  if (first === "full") throw tooManyOpen(ports);
  return first.first ? first.answer : answerAgain(ports, { first, key, bodyDigest, now });
}

function judged(
  ports: Pick<Ports, "profile">,
  asked: Asked,
): Pick<Initiation, "answer" | "started"> {
  const { tpp, requestId, order, instruction, wayBack, loginHint, now, writer } = asked;
  const refusal = aboveBankLimit(order, ports.profile);
  if (refusal !== undefined) return { answer: writer.refused(refusal) };
  const payment: Payment = {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order,
    instruction,
    createdAt: now,
    status: "RCVD",
    statusAt: now,
  };
  const authorisation = startedAuthorisation(ports, {
    id: payment.authorisationId,
    kind: "PIS",
    resourceId: payment.id,
    tppId: tpp.id,
    requestId,
    wayBack,
    loginHint,
    createdAt: now,
  });
  const { openPerTppMax: openMax } = ports.profile.sca;
  return { answer: writer.initiated(payment), started: { payment, authorisation, openMax } };
}
