import type { ReadKind } from "@/lib/domain/account-access";
import type { FailureReason, ResourceKind, ScaStatus } from "@/lib/domain/authorisation";
import type { ConsentStatus } from "@/lib/domain/consents";
import type { MessageCode } from "@/lib/domain/errors";
import type { EventKind } from "@/lib/domain/events";
import type { FundsConsentStatus } from "@/lib/domain/funds";
import type { PaymentRejection, TransactionStatus } from "@/lib/domain/payment-order";
import type { PermissionKind } from "@/lib/domain/permissions";
import { meaningOf } from "@/lib/xs2a/refusals";

type Words<Word extends string> = Readonly<Record<Word, string>>;

const because: Words<FailureReason | PaymentRejection> = {
  cancelled: "the customer cancelled",
  "too-many-tries": "too many wrong passwords or codes",
  "psu-blocked": "the customer’s sign-in is blocked",
  "window-over": "the customer did not answer in time",
  "withdrawn-by-tpp": "the TPP withdrew it",
  "not-own-account": "the account is not one of the customer’s",
  "account-gone": "the account is closed",
  "tpp-blocked": "the TPP is blocked",
  "opted-out": "the customer refuses such requests",
  "account-blocked": "the account is blocked",
  "psu-limit": "over the customer’s own limit",
  "day-limit": "over the limit of a day",
  "no-funds": "not enough funds",
  "creditor-account-closed": "the payee’s account is closed",
};

const status: Words<ConsentStatus | FundsConsentStatus | TransactionStatus> = {
  received: "waits for the customer (received)",
  partiallyAuthorised: "waits for another customer (partiallyAuthorised)",
  valid: "in force (valid)",
  rejected: "not confirmed (rejected)",
  expired: "its time is over (expired)",
  revokedByPsu: "ended for the customer (revokedByPsu)",
  terminatedByTpp: "ended by the TPP (terminatedByTpp)",
  RCVD: "received, waits for the customer (RCVD)",
  ACTC: "confirmed, to be sent to the core bank (ACTC)",
  ACCP: "accepted by the core bank (ACCP)",
  PDNG: "waits for funds (PDNG)",
  ACSP: "in execution (ACSP)",
  ACSC: "debited (ACSC)",
  ACCC: "credited to the payee (ACCC)",
  RJCT: "refused (RJCT)",
};

const sca: Words<ScaStatus> = {
  received: "begun",
  psuAuthenticated: "the customer has signed in",
  started: "the customer is asked to confirm",
  finalised: "the customer has confirmed",
  failed: "ended without a yes",
};

const reads: Words<ReadKind> = {
  accounts: "List of accounts read",
  "accounts-with-balances": "List of accounts with balances read",
  "account-details": "Account read",
  "account-details-with-balances": "Account with balance read",
  balances: "Balances read",
  transactions: "Transactions read",
  transaction: "One transaction read",
  "funds-check": "Funds checked",
};

const events: Partial<Words<EventKind>> = {
  "consent-requested": "The TPP asked for it",
  "payment-requested": "The TPP initiated it",
  "sca-status": "Authorisation",
  "sca-proved": "Proved by the customer",
  "consent-status": "Consent",
  "sca-attempt": "Password, code or passkey given",
  "tokens-issued": "The TPP fetched tokens",
  "tokens-revoked": "The TPP’s tokens ended",
  "consent-first-used": "Used for the first time",
  "customer-viewed": "Looked at by the bank",
  "idempotency-mismatch": "The TPP’s request came again with another body",
  "funds-search": "The TPP’s funds checks look for a balance",
  "request-refused": "Refused for want of trust",
};

const codes: Words<MessageCode> = meaningOf;

const kinds: Words<ResourceKind> = {
  AIS: "Account information",
  PIIS: "Funds checks",
  PIS: "Payment",
};

const refusable: Words<PermissionKind> = {
  accounts: "Account information",
  funds: "Funds checks",
  payments: "Payments",
};

export const englishCases = {
  refusable,
  kinds,
  status,
  because,
  sca,
  reads,
  events,
  codes,
  elements: { login: "sign-in", confirmation: "confirmation" },
  moved: (from: string, to: string) => `${from} → ${to}`,
  refused: (code: string, httpStatus: string) => `Refused: ${httpStatus} ${code}`,
  told: (text: string) => `The TPP was told: “${text}”`,
  call: (method: string, route: string) => `${method} ${route}`,
  attended: "with the customer at the TPP",
  unattended: "without the customer",
  submission: (attempts: number) =>
    attempts === 0
      ? "Next question to the core bank"
      : `Next question to the core bank; it has not answered ${attempts} times`,
  reason: (reason: string) => `Reason: ${reason}`,
  columns: {
    when: "When",
    what: "What",
    detail: "Details",
    who: "By",
    request: "X-Request-ID",
    kind: "Kind",
    id: "Id",
    tpp: "TPP",
    status: "Status",
    customer: "Customer",
    requested: "Requested",
    ended: "Ended",
    amount: "Amount",
    payee: "Payee",
    from: "From",
    endToEndId: "End-to-end id",
    accounts: "Accounts",
  },
  search: {
    heading: "Search",
    label: "What are you looking for?",
    hint: "The id of a payment or consent, an X-Request-ID, an end-to-end id, an IBAN, a TPP’s name or number, or a customer. It is not kept and not logged.",
    submit: "Search",
    cases: "Consents and payments",
    tpps: "TPPs",
    refused: "Refused requests",
    customer: "Customer",
    nothing: "Nothing was found.",
  },
  timeline: {
    heading: (kind: string) => `${kind}: what happened`,
    events: "Timeline",
    end: "End this permission for the customer",
    endHint:
      "From the TPP’s next call on nothing can be done with it. The customer sees that it was ended.",
    reason: "Reason",
    reasonHint: "How the customer asked for it, or why the bank does it. It is on record.",
    endSubmit: "End the permission",
  },
  customer: {
    heading: "Customer",
    id: "Id at the core bank",
    userId: "User ID",
    name: "Name",
    signIn: "Sign-in",
    block: {
      none: "not blocked",
      "for-a-while": "blocked for a while after wrong passwords or codes",
      "for-good": "blocked until the bank or a passkey ends it",
    },
    unlock: "Lift the block",
    permissions: "Permissions and payments",
    more: (count: number) => `Only the newest ${count} are shown.`,
    optOuts: "Requests that the customer refuses",
    noOptOuts: "The customer refuses no requests of TPPs.",
    anyTpp: "any TPP",
    optOut: (kind: string, tpp: string) => `${kind}: ${tpp}`,
  },
};

export type CaseTexts = typeof englishCases;
