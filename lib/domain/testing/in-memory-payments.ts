import { aspspProfile } from "../aspsp-profile";
import { accountMeant } from "../consent/account-meant";
import type { CorePayments } from "../core-bank";
import { debitFrom, feeOf } from "../payment/debit";
import type { PaymentStore, RequestKey } from "../payment/payment-store";
import { isFull } from "./in-memory-authorisations";
import type { InMemoryBank } from "./in-memory-bank";

export function paymentsOf(bank: InMemoryBank): PaymentStore {
  const nameOf = ({ tppId, requestId }: RequestKey) => `${tppId} ${requestId}`;
  return {
    firstAnswer: async (key) => bank.firstAnswers.get(nameOf(key)),
    initiate: async ({ key, answer, bodyDigest, started }) => {
      const known = bank.firstAnswers.get(nameOf(key));
      if (known !== undefined) return { ...known, first: false };
      if (started && isFull(bank, started.authorisation, started.openMax)) return "full";
      bank.firstAnswers.set(nameOf(key), { answer, bodyDigest });
      if (started !== undefined) {
        bank.payments.set(started.payment.id, started.payment);
        bank.authorisations.set(started.authorisation.id, started.authorisation);
      }
      return { answer, bodyDigest, first: true };
    },
    findOfTpp: async (id, tppId) => {
      const found = bank.payments.get(id);
      return found?.tppId === tppId ? found : undefined;
    },
    findByAuthorisation: async (id) =>
      [...bank.payments.values()].find(({ authorisationId }) => authorisationId === id),
    claimSubmissions: async () => [],
    record: async ({ id }, { history, fundsAvailable }) => {
      const found = bank.payments.get(id);
      const step = history.at(-1);
      if (found === undefined || step === undefined) return;
      const { status, at: statusAt, reason } = step;
      bank.payments.set(id, {
        ...found,
        status,
        statusAt,
        ...(reason !== undefined && { reason }),
        ...(fundsAvailable !== undefined && { fundsAvailable }),
      });
    },
  };
}

/** Takes on what it is told to; rates, fees and accounts are the real ones. */
export function corePaymentsOf(bank: InMemoryBank): CorePayments {
  return {
    quotePayment: async ({ customerId, order }) => {
      const own = bank.accountsOf.get(customerId) ?? [];
      const account = accountMeant(order.debtor, own, order.amount.currency);
      if (account === undefined) return undefined;
      const debit = debitFrom(account, order, aspspProfile);
      return { account, debit, fee: feeOf(order, aspspProfile), fundsAvailable: true };
    },
    submitPayment: async ({ now: at }) =>
      bank.paymentFinalisation === "rejected"
        ? { status: "RJCT", history: [{ status: "RJCT", at, reason: "day-limit" }] }
        : { status: "ACCP", history: [{ status: "ACCP", at }], fundsAvailable: true },
    payments: async () => new Map(),
  };
}
