import type { Authorisation, Judged } from "../sca/authorisation";
import type { AuthorisationStore } from "../sca/authorisation-store";
import { isDecided, mayMove } from "../sca/sca-status";
import type { InMemoryBank } from "./in-memory-bank";

export function authorisationsOf(bank: InMemoryBank): AuthorisationStore {
  const undelivered = new Map<string, number>();
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
    findByRequest: async (kind, tppId, requestId) =>
      [...bank.authorisations.values()].find(
        (found) => found.kind === kind && found.tppId === tppId && found.requestId === requestId,
      ),
    isOpenRedirectUri: async () => false,
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
    select: async (id, selection, now) => {
      const found = open(id, now);
      if (found === undefined || !mayMove(found.scaStatus, "started")) return false;
      const { challenge: _code, passkeyChallenge: _passkey, ...rest } = found;
      bank.authorisations.set(id, { ...rest, selection, scaStatus: "started" });
      return true;
    },
    startPasskeyChallenge: async (id, selection, passkeyChallenge, now) => {
      const found = open(id, now);
      if (found?.scaStatus !== "started") return false;
      if (found.selection.join() !== selection.join()) return false;
      change(id, { passkeyChallenge });
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
    withdrawCode: async (id, codeFingerprint, undeliveredMax, now) => {
      const found = open(id, now);
      if (found === undefined) return;
      const before = undelivered.get(id) ?? 0;
      undelivered.set(id, before + 1);
      const codesSent = found.codesSent - (before < undeliveredMax ? 1 : 0);
      const { challenge, ...rest } = found;
      const newer = challenge !== undefined && challenge.codeFingerprint !== codeFingerprint;
      bank.authorisations.set(id, { ...rest, ...(newer && { challenge }), codesSent });
    },
    extendWindow: async (id, until, now) => {
      const found = open(id, now);
      if (found === undefined) return undefined;
      const later = Math.max(until.getTime(), found.expiresAt.getTime());
      return change(id, { expiresAt: new Date(later) });
    },
    finaliseAccountConsent: async (decision) => {
      const found = bank.authorisations.get(decision.authorisationId);
      const consent = bank.consents.get(decision.consentId);
      if (!isOpen(found, decision)) return false;
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
    finaliseFundsConsent: async ({ authorisationId, consentId, ...yes }) => {
      const found = bank.authorisations.get(authorisationId);
      const consent = bank.fundsConsents.get(consentId);
      if (!isOpen(found, yes)) return false;
      if (found.scaStatus !== "started" || consent?.status !== "received") return false;
      change(found.id, { scaStatus: "finalised", failedAttempts: found.failedAttempts - 1 });
      const { psuId, accountId, at } = yes;
      const valid = { ...consent, status: "valid", psuId, accountId, authorisedAt: at } as const;
      bank.fundsConsents.set(consent.id, valid);
      return true;
    },
    finalisePayment: async ({ authorisationId, paymentId, ...yes }) => {
      const found = bank.authorisations.get(authorisationId);
      const payment = bank.payments.get(paymentId);
      if (!isOpen(found, yes)) return "too-late";
      if (found.scaStatus !== "started" || payment?.status !== "RCVD") return "too-late";
      const outcome = bank.paymentFinalisation;
      if (outcome === "gone" || outcome === "too-late") return outcome;
      change(found.id, { scaStatus: "finalised", failedAttempts: found.failedAttempts - 1 });
      const { psuId, debit, at } = yes;
      const authorised = { status: "ACTC", statusAt: at, psuId, authorisedAt: at, debit } as const;
      bank.payments.set(payment.id, { ...payment, ...authorised });
      return "finalised";
    },
    fail: async ({ id, because, at }) => {
      const found = bank.authorisations.get(id);
      if (found === undefined || isDecided(found.scaStatus)) return false;
      if (because === "window-over" && at < found.expiresAt) return false;
      change(id, { scaStatus: "failed", failedBecause: because });
      const consent = bank.consents.get(found.resourceId);
      if (consent !== undefined) bank.consents.set(consent.id, { ...consent, status: "rejected" });
      const funds = bank.fundsConsents.get(found.resourceId);
      if (funds !== undefined) bank.fundsConsents.set(funds.id, { ...funds, status: "rejected" });
      const payment = bank.payments.get(found.resourceId);
      if (payment !== undefined) {
        const rejected = { status: "RJCT", statusAt: at, reason: because } as const;
        bank.payments.set(payment.id, { ...payment, ...rejected });
      }
      return true;
    },
  };
}

function isOpen(found: Authorisation | undefined, judged: Judged): found is Authorisation {
  if (found === undefined) return false;
  return "codeFingerprint" in judged
    ? found.challenge?.codeFingerprint === judged.codeFingerprint
    : found.passkeyChallenge?.nonce === judged.passkeyNonce;
}

/** Whether this TPP has so many authorisations that nobody has decided. */
export function isFull(bank: InMemoryBank, { tppId }: Authorisation, openMax: number): boolean {
  const own = [...bank.authorisations.values()].filter((one) => one.tppId === tppId);
  return own.filter(({ scaStatus }) => !isDecided(scaStatus)).length >= openMax;
}
