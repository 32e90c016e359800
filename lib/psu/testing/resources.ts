import type {
  FundsConsent,
  FundsConsentRequest,
} from "@/lib/domain/funds-confirmation/funds-consent";
import type { Iban } from "@/lib/domain/iban";
import { newAuthorisationId, newConsentId, newPaymentId } from "@/lib/domain/identifiers";
import type { Payment, PaymentOrder } from "@/lib/domain/payment/payment";
import { money } from "@/lib/domain/payment/product-terms";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import { startedAuthorisation } from "@/lib/domain/sca/started-authorisation";
import type { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { current, newRequestId, now, tpp } from "@/lib/domain/testing/samples";

type House = ReturnType<typeof inMemoryBank>;
export type AskedOrder = { readonly order?: Partial<PaymentOrder> };

/** 1,234.50 RON from ana's current account. */
export const order: PaymentOrder = {
  product: "instant-sepa-credit-transfers",
  amount: money("RON", 123_450n),
  debtor: { iban: current.iban },
  creditor: { name: "Shop SRL", iban: "RO49AAAA1B31007593840000" as Iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
};

/** A payment that waits for its PSU. */
export function receivedPayment(house: House, { order: changes }: AskedOrder = {}): Payment {
  const payment: Payment = {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order: { ...order, ...changes },
    instruction: {},
    createdAt: now,
    status: "RCVD",
    statusAt: now,
  };
  house.bank.payments.set(payment.id, payment);
  start(house, "PIS", payment);
  return payment;
}

/** A confirmation of funds consent that waits for its PSU. */
export function receivedFundsConsent(
  house: House,
  { funds }: { readonly funds?: Partial<FundsConsentRequest> } = {},
): FundsConsent {
  const consent: FundsConsent = {
    account: { iban: current.iban },
    ...funds,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    createdAt: now,
  };
  house.bank.fundsConsents.set(consent.id, consent);
  start(house, "PIIS", consent);
  return consent;
}

function start({ bank, ports }: House, kind: ResourceKind, resource: Payment | FundsConsent) {
  const { id: resourceId, authorisationId: id, tppId } = resource;
  const wayBack = { redirectUri: "https://tpp.example/cb" };
  const begun = { id, kind, resourceId, tppId, requestId: newRequestId(), wayBack, createdAt: now };
  bank.authorisations.set(id, startedAuthorisation(ports, begun));
}
