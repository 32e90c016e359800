import type { AccessBudget } from "../account-access/access-budget";
import type { ConsentStore } from "../consent/consent-store";
import type { FundsCheck } from "../funds-confirmation/funds-check";
import type { FundsConsentStore } from "../funds-confirmation/funds-consent-store";
import type { Authorisation } from "../sca/authorisation";
import { isFull } from "./in-memory-authorisations";
import type { InMemoryBank } from "./in-memory-bank";

export function accessBudgetOf(bank: InMemoryBank): AccessBudget {
  const budgetAt = (now: Date) => ({
    left: bank.budget,
    resetAt: new Date(now.getTime() + 90_500),
  });
  return {
    admitUnattended: async ({ resource, read }) => {
      if (bank.budget === 0) return { ...budgetAt(read.at), admitted: false };
      bank.budget -= 1;
      bank.admissions.push(resource);
      bank.reads.push(read);
      return { ...budgetAt(read.at), admitted: true };
    },
    continueUnattended: async ({ read }) => {
      bank.reads.push(read);
      return budgetAt(read.at);
    },
    admitAttended: async (read) => {
      bank.reads.push(read);
    },
  };
}

export function consentsOf(bank: InMemoryBank): ConsentStore {
  return {
    insert: async (consent, authorisation, openMax) => {
      if (isRepeated(bank, authorisation)) return "used";
      if (isFull(bank, authorisation, openMax)) return "full";
      bank.consents.set(consent.id, consent);
      bank.authorisations.set(authorisation.id, authorisation);
      return "kept";
    },
    find: async (id) => bank.consents.get(id),
    findOfTpp: async (id, tppId) => {
      const found = bank.consents.get(id);
      return found?.tppId === tppId ? found : undefined;
    },
    findByAuthorisation: async (id) =>
      [...bank.consents.values()].find(({ authorisationId }) => authorisationId === id),
    end: async ({ consentId, from, to, on }) => {
      const found = bank.consents.get(consentId);
      if (found?.status !== from) return false;
      bank.consents.set(consentId, { ...found, status: to, lastActionDate: on });
      return true;
    },
  };
}

export function fundsConsentsOf(bank: InMemoryBank): FundsConsentStore {
  return {
    insert: async (consent, authorisation, openMax) => {
      if (isRepeated(bank, authorisation)) return "used";
      if (isFull(bank, authorisation, openMax)) return "full";
      bank.fundsConsents.set(consent.id, consent);
      bank.authorisations.set(authorisation.id, authorisation);
      return "kept";
    },
    find: async (id) => bank.fundsConsents.get(id),
    findOfTpp: async (id, tppId) => {
      const found = bank.fundsConsents.get(id);
      return found?.tppId === tppId ? found : undefined;
    },
    findByAuthorisation: async (id) =>
      [...bank.fundsConsents.values()].find(({ authorisationId }) => authorisationId === id),
    end: async ({ consentId, from, to }) => {
      const found = bank.fundsConsents.get(consentId);
      if (found?.status !== from) return false;
      bank.fundsConsents.set(consentId, { ...found, status: to });
      return true;
    },
  };
}

export function fundsCheckOf(bank: InMemoryBank): FundsCheck {
  return {
    take: async ({ consentId, tppId }) => {
      const consent = bank.fundsConsents.get(consentId);
      const isOpen = consent?.tppId === tppId && consent.status === "valid";
      return isOpen ? bank.fundsVerdict : undefined;
    },
  };
}

function isRepeated(bank: InMemoryBank, { kind, tppId, requestId }: Authorisation): boolean {
  return [...bank.authorisations.values()].some(
    (known) => known.kind === kind && known.tppId === tppId && known.requestId === requestId,
  );
}
