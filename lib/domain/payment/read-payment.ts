import { AUTHORISATION_UNKNOWN } from "../consent/read-account-consent";
import type { AuthorisationId, PaymentId, TppId } from "../identifiers";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { Authorisation } from "../sca/authorisation";
import { currentPayment } from "./current-payment";
import type { Payment } from "./payment";
import type { PaymentProduct } from "./payment-product";

type PaymentPorts = Pick<Ports, "payments" | "authorisations" | "profile">;

/** Whose payment, and which. */
export type PaymentOfTpp = {
  readonly id: PaymentId;
  readonly product: PaymentProduct;
  readonly tppId: TppId;
  readonly now: Date;
};

/** The same words for an unknown payment and another TPP's: nobody learns which ids exist. */
export const PAYMENT_UNKNOWN = "this payment is not known";

/**
 * The TPP's own payment, in whatever state. Rejects with 404 RESOURCE_UNKNOWN, and with 403
 * PRODUCT_INVALID when it was started under another product.
 */
export async function readPayment(
  ports: PaymentPorts,
  { id, product, tppId, now }: PaymentOfTpp,
): Promise<Payment> {
  const payment = await ports.payments.findOfTpp(id, tppId);
  if (payment === undefined) throw reject("RESOURCE_UNKNOWN", PAYMENT_UNKNOWN);
  if (payment.order.product !== product) {
    throw reject("PRODUCT_INVALID", `this payment was started as ${payment.order.product}`);
  }
  return currentPayment(ports, payment, now);
}

/** One authorisation of the TPP's own payment. Rejects with 404 RESOURCE_UNKNOWN when it is not this one's. */
export async function readPaymentAuthorisation(
  ports: PaymentPorts,
  asked: PaymentOfTpp & { readonly authorisationId: AuthorisationId },
): Promise<Authorisation> {
  const payment = await readPayment(ports, asked);
  const found =
    payment.authorisationId === asked.authorisationId
      ? await ports.authorisations.find(payment.authorisationId)
      : undefined;
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", AUTHORISATION_UNKNOWN);
  return found;
}

/** Cancellation is not offered: a payment that is known is told so, and nothing of it changes. */
export async function refuseCancellation(ports: PaymentPorts, asked: PaymentOfTpp): Promise<never> {
  await readPayment(ports, asked);
  throw reject("CANCELLATION_INVALID", "payments cannot be cancelled at this bank");
}
