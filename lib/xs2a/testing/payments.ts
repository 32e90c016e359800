import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { newAuthorisationId, newPaymentId } from "@/lib/domain/identifiers";
import type { Payment } from "@/lib/domain/payment/payment";
import type { PaymentProduct } from "@/lib/domain/payment/payment-product";
import { tpp } from "@/lib/domain/testing/samples";
import { pay, paymentBody, sepa } from "./payment-request";
import { now } from "./tpp";

export const links = {
  aisp: "https://bank.example/open-banking/v3.1/aisp/v1",
  pisp: "https://bank.example/open-banking/v3.1/pisp/v1",
  cbpii: "https://bank.example/open-banking/v3.1/cbpii",
  scaOAuth: "https://bank.example/.well-known/oauth-authorization-server",
};
export const house = { links, profile: aspspProfile };

/** A payment as its request has made it, and then what became of it. */
export function paymentOf(
  given: Partial<Payment> = {},
  { product = sepa, changed = {} }: { product?: PaymentProduct; changed?: object } = {},
): Payment {
  const { order, instruction } = pay(product, paymentBody(product, { ...changed }));
  return {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order: { ...order, rejectWithoutFunds: false },
    instruction,
    createdAt: now,
    status: "RCVD",
    statusAt: now,
    ...given,
  };
}
