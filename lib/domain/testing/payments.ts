import type { Iban } from "../iban";
import { newAuthorisationId } from "../identifiers";
import { type AnswerWriter, initiatePayment } from "../payment/initiate-payment";
import type { Payment, PaymentOrder } from "../payment/payment";
import type { StoredAnswer } from "../payment/payment-store";
import { money } from "../payment/product-terms";
import type { InMemoryBank } from "./in-memory-bank";
import { inMemoryBank } from "./in-memory-bank";
import { newRequestId, now, tpp } from "./samples";

export const order: PaymentOrder = {
  product: "sepa-credit-transfers",
  amount: money("EUR", 1_250n),
  debtor: { iban: "RO21DRWB0000000000000001" as Iban },
  creditor: { name: "Merchant GmbH", iban: "DE89370400440532013000" as Iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
};

/** Writes what the tests can read again. */
export const writer: AnswerWriter = {
  initiated: ({ id, status }) => ({ status: 201, headers: { location: id }, body: status }),
  refused: ({ status, faults }) => ({ status, headers: {}, body: faults[0].code }),
};

export type Initiated = Parameters<typeof initiatePayment>[1];

export function asked(given: Partial<Initiated> = {}): Initiated {
  return {
    tpp,
    requestId: newRequestId(),
    bodyDigest: "digest",
    order,
    instruction: { as: "sent" },
    wayBack: { redirectUri: "https://tpp.example/cb" },
    now,
    writer,
    ...given,
  };
}

/** A bank at which payments are started. */
export function paymentHouse() {
  const { bank, ports } = inMemoryBank();
  const start = (given: Partial<Initiated> = {}) => initiatePayment(ports, asked(given));
  return { bank, ports, start, started: async () => startedOf(bank, await start()) };
}

function startedOf(bank: InMemoryBank, { headers }: StoredAnswer): Payment {
  const payment = bank.payments.get(headers["location"] ?? newAuthorisationId());
  if (payment === undefined) throw new Error("no payment was started");
  return payment;
}
