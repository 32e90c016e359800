import {
  AuthorisationRefused,
  granted,
  type PaymentCreated,
  type Reply,
  untilAnswered,
  type Xs2a,
} from "@/clients/typescript/src";
import { followedPayment } from "./followed-payment";
import type { PaymentOrder } from "./payment-order";
import type { PsuSession } from "./psu-session";

type Session = Omit<PsuSession, "bank" | "now"> & {
  readonly bank: Pick<Xs2a, "createPayment" | "paymentStatus" | "call">;
};

/**
 * Initiates the payment, has the PSU authorise it and follows it to the end: its last status. Throws
 * Refused when the bank does not take it, and AuthorisationRefused when the PSU does not agree.
 */
export async function paid(
  { bank, redirectUri, authorised }: Session,
  order: PaymentOrder,
): Promise<string> {
  const { product } = order;
  const { paymentId, _links } = granted(await initiated(bank, redirectUri, order));
  const told = `Payment ${paymentId} from ${order.payment.debtorAccount.iban} is created`;
  try {
    await authorised({ scope: `PIS:${paymentId}`, scaOAuth: _links.scaOAuth.href, told });
  } catch (error) {
    const hasAgreed = error instanceof AuthorisationRefused && (await isFinalised(bank, _links));
    if (!hasAgreed) throw error;
  }
  return followedPayment(bank, { product, paymentId });
}

function initiated(
  bank: Session["bank"],
  redirectUri: string,
  { product, payment, rejectWithoutFunds }: PaymentOrder,
): Promise<Reply<PaymentCreated>> {
  const preferred = rejectWithoutFunds ? { "tpp-rejection-nofunds-preferred": "true" } : {};
  const onRetry = (requestId: string) =>
    console.log(`No answer yet. The same request is sent again (X-Request-ID ${requestId}).`);
  return untilAnswered(
    ({ headers, ...more }) => {
      const options = { ...more, headers: { ...headers, ...preferred } };
      return bank.createPayment(product, payment, { redirectUri }, options);
    },
    { onRetry },
  );
}

/** A PSU who has said yes has agreed, also where the bank refuses it: above a limit there is no code. */
async function isFinalised(
  bank: Session["bank"],
  { scaStatus }: PaymentCreated["_links"],
): Promise<boolean> {
  const answer = await bank.call<{ readonly scaStatus: string }>("GET", scaStatus.href);
  return granted(answer).scaStatus === "finalised";
}
