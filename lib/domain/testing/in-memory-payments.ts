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
  };
}
