import { passkeyVerifier } from "@/lib/core-bank/passkey-verifier";
import type { ServedRead } from "../access-log/access-log";
import type { BankAccount, StandingOrder, Transaction } from "../account-access/bank-account";
import { aspspProfile } from "../aspsp-profile";
import type { AuditEvent } from "../audit/audit-log";
import type { AccountConsent } from "../consent/account-consent";
import type { AvailableFunds } from "../core-bank";
import type { FundsVerdict } from "../funds-confirmation/funds-check";
import type { FundsConsent } from "../funds-confirmation/funds-consent";
import type { PsuId } from "../identifiers";
import type { Payment } from "../payment/payment";
import type { FirstAnswer } from "../payment/payment-store";
import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import type { TextMessage } from "../sca/one-time-codes";
import type { BlockNotice } from "../sca/psu-attempts";
import type { SessionHash } from "../sign-in/sign-in-store";
import type { BlockOrder } from "../tpp/stop-list";
import { coreBankOf } from "./in-memory-accounts";
import { arrivalsBy } from "./in-memory-arrivals";
import { authorisationsOf } from "./in-memory-authorisations";
import { accessBudgetOf, consentsOf, fundsCheckOf, fundsConsentsOf } from "./in-memory-consents";
import { type KnownPasskey, passkeysOf } from "./in-memory-passkeys";
import { corePaymentsOf, paymentsOf } from "./in-memory-payments";
import { permissionRecordsOf } from "./in-memory-permissions";
import { type KnownFailures, psuAttemptsOf } from "./in-memory-psu-attempts";
import { signInThrottleOf } from "./in-memory-sign-in-throttle";
import { type KnownSignIn, signInsOf } from "./in-memory-sign-ins";
import { stopListOf } from "./in-memory-stop-list";
import { textBudgetOf } from "./in-memory-texts";

/** What a test can look at and change behind the ports. */
export type InMemoryBank = {
  readonly consents: Map<string, AccountConsent>;
  readonly fundsConsents: Map<string, FundsConsent>;
  readonly payments: Map<string, Payment>;
  readonly firstAnswers: Map<string, FirstAnswer>;
  readonly audited: AuditEvent[];
  /** What the books would show of a funds consent's account. */
  availableFunds: AvailableFunds | undefined;
  fundsVerdict: FundsVerdict;
  /** What a payment is told when its PSU says yes. */
  paymentFinalisation: "finalised" | "rejected" | "gone" | "too-late";
  readonly authorisations: Map<string, Authorisation>;
  readonly psuFailures: Map<string, KnownFailures>;
  readonly passkeys: Map<string, KnownPasskey>;
  readonly signIns: Map<SessionHash, KnownSignIn>;
  /** Orders of the stop list by their TPP. */
  readonly blocked: Map<string, BlockOrder>;
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

export function inMemoryBank(): { readonly bank: InMemoryBank; readonly ports: Ports } {
  const bank: InMemoryBank = {
    consents: new Map(),
    fundsConsents: new Map(),
    payments: new Map(),
    firstAnswers: new Map(),
    audited: [],
    availableFunds: undefined,
    fundsVerdict: { admitted: true, retryAfterSeconds: 0 },
    paymentFinalisation: "finalised",
    authorisations: new Map(),
    psuFailures: new Map(),
    passkeys: new Map(),
    signIns: new Map(),
    blocked: new Map(),
    accountsOf: new Map(),
    transactions: [],
    standingOrders: [],
    toldOfBlock: [],
    languages: new Map(),
    texts: [],
    textsSent: new Map(),
    admissions: [],
    reads: [],
    budget: Number.POSITIVE_INFINITY,
    delivers: true,
  };
  const codes = ["123456", "234567", "345678", "456789", "567890"];
  const single: Omit<Ports, "arrivals"> = {
    profile: aspspProfile,
    clock: { now: async () => new Date("2026-11-20T10:00:00Z") },
    tppRegister: { remember: async () => undefined, find: async () => undefined },
    stopList: stopListOf(bank.blocked),
    tppAllowance: { take: async () => "admitted" },
    consents: consentsOf(bank),
    fundsConsents: fundsConsentsOf(bank),
    fundsCheck: fundsCheckOf(bank),
    payments: paymentsOf(bank),
    submissionFaults: ({ err }) => {
      throw err;
    },
    auditLog: {
      record: async (event) => {
        bank.audited.push(event);
      },
    },
    authorisations: authorisationsOf(bank),
    psuAttempts: psuAttemptsOf(bank.psuFailures),
    signIns: signInsOf(bank.signIns),
    psuDirectory: {
      verifyPassword: async (userId, password) =>
        password === `${userId}-sandbox`
          ? { id: userId as PsuId, userId, name: userId.toUpperCase() }
          : undefined,
      findByUserId: async (userId) =>
        userId.startsWith("nobody")
          ? undefined
          : { id: userId as PsuId, userId, name: userId.toUpperCase() },
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
    signInThrottle: signInThrottleOf(),
    passwordTurns: { run: (_network, work) => work() },
    blockNotices: {
      tell: (userId, notice) => {
        bank.toldOfBlock.push([userId, notice]);
      },
    },
    psuLanguages: {
      of: async (psuId) => bank.languages.get(psuId),
      keep: async (psuId, language) => {
        bank.languages.set(psuId, language);
      },
    },
    textBudget: textBudgetOf(bank.textsSent),
    passkeys: passkeysOf(bank.passkeys, bank.audited),
    // The real one: what it judges are real signatures.
    passkeyVerifier: passkeyVerifier("http://localhost:3000"),
    coreBank: { ...coreBankOf(bank), ...corePaymentsOf(bank) },
    permissionRecords: permissionRecordsOf(bank),
    accessBudget: accessBudgetOf(bank),
  };
  return { bank, ports: { ...single, arrivals: arrivalsBy(single) } };
}
