import type { AccessBudget } from "../account-access/access-budget";
import type { BankAccount, StandingOrder, Transaction } from "../account-access/bank-account";
import { aspspProfile } from "../aspsp-profile";
import type { AccountConsent } from "../consent/account-consent";
import type { ConsentStore } from "../consent/consent-store";
import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import type { AuthorisationStore } from "../sca/authorisation-store";
import type { TextMessage } from "../sca/one-time-codes";
import { isDecided, mayMove } from "../sca/sca-status";
import { accountSourceOf } from "./in-memory-accounts";

/** What a test can look at and change behind the ports. */
export type InMemoryBank = {
  readonly consents: Map<string, AccountConsent>;
  readonly authorisations: Map<string, Authorisation>;
  readonly accountsOf: Map<PsuId, readonly BankAccount[]>;
  readonly transactions: Transaction[];
  readonly standingOrders: StandingOrder[];
  readonly texts: TextMessage[];
  readonly admissions: string[];
  budget: number;
  delivers: boolean;
};

export function inMemoryBank(): { readonly bank: InMemoryBank; readonly ports: Ports } {
  const bank: InMemoryBank = {
    consents: new Map(),
    authorisations: new Map(),
    accountsOf: new Map(),
    transactions: [],
    standingOrders: [],
    texts: [],
    admissions: [],
    budget: Number.POSITIVE_INFINITY,
    delivers: true,
  };
  const codes = ["123456", "234567", "345678", "456789", "567890"];
  const ports: Ports = {
    profile: aspspProfile,
    clock: { now: async () => new Date("2026-11-20T10:00:00Z") },
    tppRegister: { remember: async () => undefined, find: async () => undefined },
    consents: consentsOf(bank),
    authorisations: authorisationsOf(bank),
    psuDirectory: {
      verifyPassword: async (userId, password) =>
        password === `${userId}-sandbox`
          ? { id: userId as PsuId, userId, name: userId.toUpperCase() }
          : undefined,
      find: async (id) => ({ id, userId: id, name: id.toUpperCase() }),
    },
    oneTimeCodes: {
      create: () => codes[bank.texts.length] ?? "999999",
      fingerprint: (text) => `#${text}`,
      equal: (one, other) => one === other,
      send: async (message) => {
        bank.texts.push(message);
        return bank.delivers;
      },
    },
    accountSource: accountSourceOf(bank),
    accessBudget: accessBudgetOf(bank),
  };
  return { bank, ports };
}

function accessBudgetOf(bank: InMemoryBank): AccessBudget {
  const budgetAt = (now: Date) => ({
    left: bank.budget,
    resetAt: new Date(now.getTime() + 90_500),
  });
  return {
    admitUnattended: async ({ resource, now }) => {
      if (bank.budget === 0) return { ...budgetAt(now), admitted: false };
      bank.budget -= 1;
      bank.admissions.push(resource);
      return { ...budgetAt(now), admitted: true };
    },
    unattendedLeft: async ({ now }) => budgetAt(now),
  };
}

function consentsOf(bank: InMemoryBank): ConsentStore {
  return {
    insert: async (consent, authorisation) => {
      bank.consents.set(consent.id, consent);
      bank.authorisations.set(authorisation.id, authorisation);
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

function authorisationsOf(bank: InMemoryBank): AuthorisationStore {
  const change = (id: string, changed: Partial<Authorisation>) => {
    const found = bank.authorisations.get(id);
    if (found === undefined) return undefined;
    const now = { ...found, ...changed };
    bank.authorisations.set(id, now);
    return now;
  };
  const open = (id: string, now: Date) => {
    const found = bank.authorisations.get(id);
    const alive = found !== undefined && !isDecided(found.scaStatus) && now < found.expiresAt;
    return alive ? found : undefined;
  };
  return {
    find: async (id) => bank.authorisations.get(id),
    findByResource: async (kind, resourceId) =>
      [...bank.authorisations.values()].find(
        (found) => found.kind === kind && found.resourceId === resourceId,
      ),
    redirectUrisOf: async () => [],
    takeAttempt: async (id, attemptsMax, now) => {
      const found = open(id, now);
      if (found === undefined || found.failedAttempts >= attemptsMax) return undefined;
      return change(id, { failedAttempts: found.failedAttempts + 1 });
    },
    authenticate: async (id, psuId, now) => {
      const found = open(id, now);
      if (found === undefined || (found.psuId ?? psuId) !== psuId) return false;
      const scaStatus = found.scaStatus === "received" ? "psuAuthenticated" : found.scaStatus;
      change(id, { psuId, scaStatus, failedAttempts: found.failedAttempts - 1 });
      return true;
    },
    startChallenge: async (id, selection, challenge, codesSentMax, now) => {
      const found = open(id, now);
      if (found === undefined || !mayMove(found.scaStatus, "started")) return false;
      if (found.codesSent >= codesSentMax) return false;
      const codesSent = found.codesSent + 1;
      change(id, { selection, challenge, codesSent, scaStatus: "started" });
      return true;
    },
    finaliseAccountConsent: async (decision) => {
      const found = bank.authorisations.get(decision.authorisationId);
      const consent = bank.consents.get(decision.consentId);
      if (found?.challenge?.codeFingerprint !== decision.codeFingerprint) return false;
      if (found.scaStatus !== "started" || consent?.status !== "received") return false;
      change(found.id, { scaStatus: "finalised", failedAttempts: found.failedAttempts - 1 });
      const { psuId, grantedAccounts, on, at } = decision;
      bank.consents.set(consent.id, {
        ...consent,
        status: "valid",
        psuId,
        grantedAccounts,
        lastActionDate: on,
        authorisedAt: at,
      });
      return true;
    },
    fail: async (id) => {
      const found = bank.authorisations.get(id);
      if (found === undefined || isDecided(found.scaStatus)) return false;
      change(id, { scaStatus: "failed" });
      const consent = bank.consents.get(found.resourceId);
      if (consent !== undefined) bank.consents.set(consent.id, { ...consent, status: "rejected" });
      return true;
    },
  };
}
