import { aspspProfile } from "@/lib/testing-profile";
import type { AccessBudget, ServedRead } from "../account-access";
import { accountMeant, type BankAccount, type StandingOrder, type Transaction } from "../accounts";
import {
  type ApprovalPoll,
  type Authorisation,
  type AuthorisationStore,
  isDecided,
  type Judged,
  mayMove,
} from "../authorisation";
import { money } from "../bank-profile";
import type { AccountConsent, ConsentStore } from "../consents";
import type { CorePayments } from "../core-bank";
import type { NewEvent } from "../events";
import type { FundsCheck, FundsConsent, FundsConsentStore, FundsVerdict } from "../funds";
import type { StandingOptOut } from "../opt-outs";
import type { Payment } from "../payment-order";
import {
  debitFrom,
  type FirstAnswer,
  feeOf,
  type PaymentStore,
  type RequestKey,
} from "../payments";
import type { TextMessage } from "../psu";
import type { BlockNotice } from "../psu-attempts";
import type { SessionHash } from "../sign-in";
import type { BlockOrder } from "../tpp";
import type { Money, PsuId } from "../values";
import type { KnownFailures, KnownPasskey, KnownSignIn } from "./in-memory-psu";

export type Holding = {
  readonly status: BankAccount["status"];
  readonly available: Money;
};

/** What a test can look at and change behind the ports. */
export type InMemoryBank = {
  readonly consents: Map<string, AccountConsent>;
  readonly fundsConsents: Map<string, FundsConsent>;
  readonly payments: Map<string, Payment>;
  readonly firstAnswers: Map<string, FirstAnswer>;
  readonly events: NewEvent[];
  /** Of every account; undefined when it is gone. */
  holding: Holding | undefined;
  fundsVerdict: FundsVerdict;
  /** What a payment is told when its PSU says yes. */
  paymentFinalisation: "finalised" | "rejected" | "gone" | "too-late";
  readonly authorisations: Map<string, Authorisation>;
  readonly psuFailures: Map<string, KnownFailures>;
  readonly passkeys: Map<string, KnownPasskey>;
  readonly signIns: Map<SessionHash, KnownSignIn>;
  /** Orders of the stop list by their TPP. */
  readonly blocked: Map<string, BlockOrder>;
  readonly optOuts: StandingOptOut[];
  readonly accountsOf: Map<PsuId, readonly BankAccount[]>;
  readonly transactions: Transaction[];
  readonly standingOrders: StandingOrder[];
  /** User IDs whose owners were to be told of a block. */
  readonly toldOfBlock: (readonly [userId: string, notice: BlockNotice])[];
  readonly languages: Map<PsuId, string>;
  readonly texts: TextMessage[];
  /** When each was last sent codes. */
  readonly textsSent: Map<PsuId, readonly Date[]>;
  readonly admissions: string[];
  /** The access log. */
  readonly reads: ServedRead[];
  budget: number;
  delivers: boolean;
};

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
  const uncounted = ({ id, codesSent }: Authorisation, undeliveredMax: number) => {
    const before = undelivered.get(id) ?? 0;
    undelivered.set(id, before + 1);
    return codesSent - (before < undeliveredMax ? 1 : 0);
  };
  const isLast = (approval: Authorisation["approval"], { nonce, pollAt }: ApprovalPoll) =>
    approval?.nonce === nonce && approval.request?.pollAt.getTime() === pollAt.getTime();
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
    giveBackAttempt: async (id, now) => {
      const found = open(id, now);
      if (found !== undefined)
        change(id, { failedAttempts: Math.max(0, found.failedAttempts - 1) });
    },
    authenticate: async (id, psuId, now, proof) => {
      const found = open(id, now);
      if (found === undefined || (found.psuId ?? psuId) !== psuId) return false;
      const scaStatus = found.scaStatus === "received" ? "psuAuthenticated" : found.scaStatus;
      const taken = proof?.means === "oidc" ? 0 : 1;
      change(id, { psuId, scaStatus, failedAttempts: found.failedAttempts - taken });
      return true;
    },
    select: async (id, selection, now, only) => {
      const found = open(id, now);
      if (found === undefined || !mayMove(found.scaStatus, "started")) return false;
      if (only !== undefined && found.linkHash !== only.linkHash) return false;
      bank.authorisations.set(id, { ...withoutChallenges(found), selection, scaStatus: "started" });
      return true;
    },
    startPasskeyChallenge: async (id, selection, { linkHash, ...passkeyChallenge }, now) => {
      const found = open(id, now);
      if (found?.scaStatus !== "started") return false;
      if (found.selection.join() !== selection.join()) return false;
      const kept = found.linkHash === linkHash ? found : withoutChallenges(found);
      bank.authorisations.set(id, { ...kept, passkeyChallenge, linkHash });
      return true;
    },
    startChallenge: async (id, selection, { linkHash, ...challenge }, codesSentMax, now) => {
      const found = open(id, now);
      if (found === undefined || !mayMove(found.scaStatus, "started")) return false;
      if (found.codesSent >= codesSentMax) return false;
      const codesSent = found.codesSent + 1;
      change(id, { selection, challenge, linkHash, codesSent, scaStatus: "started" });
      return true;
    },
    countAppRequest: async (id, selection, linkHash, codesSentMax, now) => {
      const found = open(id, now);
      if (found === undefined || !mayMove(found.scaStatus, "started")) return false;
      if (found.codesSent >= codesSentMax) return false;
      const codesSent = found.codesSent + 1;
      const { approval: _, ...another } = found;
      const isSame = found.selection.join() === selection.join() && found.linkHash === linkHash;
      const kept = isSame ? found : another;
      bank.authorisations.set(id, {
        ...kept,
        selection,
        linkHash,
        codesSent,
        scaStatus: "started",
      });
      return true;
    },
    uncountAppRequest: async (id, undeliveredMax, now) => {
      const found = open(id, now);
      if (found !== undefined) change(id, { codesSent: uncounted(found, undeliveredMax) });
    },
    startApproval: async (id, selection, { linkHash, ...approval }, now) => {
      const found = open(id, now);
      if (found?.scaStatus !== "started") return false;
      if (found.selection.join() !== selection.join()) return false;
      const kept = found.linkHash === linkHash ? found : withoutChallenges(found);
      bank.authorisations.set(id, { ...kept, approval, linkHash });
      return true;
    },
    takeApprovalPoll: async (id, { nonce, pollAt, isNotified }, now) => {
      const { approval } = open(id, now) ?? {};
      if (approval?.nonce !== nonce || approval.request === undefined) return false;
      if (!isNotified && approval.request.pollAt > now) return false;
      change(id, { approval: { ...approval, request: { ...approval.request, pollAt } } });
      return true;
    },
    postponeApprovalPoll: async (id, poll, pollAt, now) => {
      const { approval } = open(id, now) ?? {};
      if (approval?.request === undefined || !isLast(approval, poll)) return;
      change(id, { approval: { ...approval, request: { ...approval.request, pollAt } } });
    },
    endApproval: async (id, poll, now) => {
      const { approval, ...rest } = open(id, now) ?? {};
      if (isLast(approval, poll)) bank.authorisations.set(id, rest as Authorisation);
    },
    earlierSelection: async (tppId, psuId) => {
      const authorised = [...bank.consents.values()].filter(
        (consent) => consent.tppId === tppId && consent.psuId === psuId,
      );
      const last = authorised.at(-1);
      if (last === undefined || last.status === "revokedByPsu") return [];
      return last.grantedAccounts.map(({ accountId }) => accountId);
    },
    findByApprovalRequest: async (requestId) =>
      [...bank.authorisations.values()].find(({ approval }) => approval?.request?.id === requestId),
    withdrawCode: async (id, codeFingerprint, undeliveredMax, now) => {
      const found = open(id, now);
      if (found === undefined) return;
      const codesSent = uncounted(found, undeliveredMax);
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
      change(found.id, { scaStatus: "finalised", failedAttempts: attemptsAfter(found, decision) });
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
      change(found.id, { scaStatus: "finalised", failedAttempts: attemptsAfter(found, yes) });
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
      change(found.id, { scaStatus: "finalised", failedAttempts: attemptsAfter(found, yes) });
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

function withoutChallenges({
  challenge: _code,
  passkeyChallenge: _passkey,
  approval: _approval,
  linkHash: _linked,
  ...rest
}: Authorisation): Authorisation {
  return rest;
}

function isOpen(found: Authorisation | undefined, judged: Judged): found is Authorisation {
  if (found === undefined) return false;
  if ("approvalNonce" in judged) return found.approval?.nonce === judged.approvalNonce;
  return "codeFingerprint" in judged
    ? found.challenge?.codeFingerprint === judged.codeFingerprint
    : found.passkeyChallenge?.nonce === judged.passkeyNonce;
}

/** An approval by the identity provider has taken no attempt. */
function attemptsAfter({ failedAttempts }: Authorisation, judged: Judged): number {
  return "approvalNonce" in judged ? failedAttempts : failedAttempts - 1;
}

/** Whether this TPP has so many authorisations that nobody has decided. */
function isFull(bank: InMemoryBank, { tppId }: Authorisation, openMax: number): boolean {
  const own = [...bank.authorisations.values()].filter((one) => one.tppId === tppId);
  return own.filter(({ scaStatus }) => !isDecided(scaStatus)).length >= openMax;
}

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
      bank.reads.push(withoutFirst(read));
      return { ...budgetAt(read.at), admitted: true };
    },
    continueUnattended: async ({ read }) => {
      bank.reads.push(withoutFirst(read));
      return budgetAt(read.at);
    },
    admitAttended: async (read) => {
      bank.reads.push(withoutFirst(read));
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
    noteConflict: async () => undefined,
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
      const rate = {
        ...{ from: order.amount.currency, to: account.currency },
        ...{ rate: "5.09", source: aspspProfile.name },
      };
      return {
        ...{ account, debit, fee: feeOf(order, aspspProfile), fundsAvailable: true },
        ...(account.currency !== order.amount.currency && { rate }),
        ...(bank.paymentFinalisation === "rejected" && { refusal: "day-limit" }),
      };
    },
    submitPayment: async ({ now: at }) =>
      bank.paymentFinalisation === "rejected"
        ? { status: "RJCT", history: [{ status: "RJCT", at, reason: "day-limit" }] }
        : { status: "ACCP", history: [{ status: "ACCP", at }], fundsAvailable: true },
    payment: async () => undefined,
    paymentChanges: async () => ({ changes: [], next: "0" as never }),
    limits: async () => ({ day: money("EUR", 10_000_00n), usedToday: money("EUR", 9_990_00n) }),
  };
}

/** The line of the access history, which does not say whether it is the first. */
function withoutFirst({ isFirst: _, ...read }: ServedRead): ServedRead {
  return read;
}
