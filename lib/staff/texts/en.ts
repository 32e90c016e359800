import type { ReadKind } from "@/lib/domain/account-access";
import type { FailureReason, ResourceKind, ScaStatus } from "@/lib/domain/authorisation";
import type { ConsentStatus } from "@/lib/domain/consents";
import type { MessageCode } from "@/lib/domain/errors";
import type { EventKind } from "@/lib/domain/events";
import type { FundsConsentStatus } from "@/lib/domain/funds";
import type { PaymentRejection, TransactionStatus } from "@/lib/domain/payment-order";
import type { StaffRole } from "@/lib/domain/staff";
import type { Counted } from "@/lib/domain/statistics";
import type { Psd2Role } from "@/lib/domain/tpp";
import type { LegalBasis, RequestOutcome, SecrecyGround, TppAction } from "@/lib/domain/tpp-blocks";
import type { Money } from "@/lib/domain/values";
import { day, dayAndTime, duration, type Language, money } from "@/lib/psu/texts/formats";
import { meaningOf } from "@/lib/xs2a/refusals";
import type { Said } from "../forms";

const formats = {
  locale: "en-GB",
  and: "and",
  quotes: ["“", "”"],
  messageQuotes: ['"', '"'],
} as const;

const roles: Readonly<Record<StaffRole, string>> = {
  viewer: "viewer",
  support: "support",
  approver: "approver",
  auditor: "auditor",
};

const said: Readonly<Record<Said, string>> = {
  "signed-out": "You have signed out.",
  "wrong-credentials": "User or password is not right.",
  "provider-unavailable": "The sign-in does not answer at the moment. Try again.",
  "not-proved": "The sign-in was not completed. Try again.",
  "no-role": "You have signed in, but you have no role in this console. Ask for one.",
  "stale-form": "This page was open for too long. Nothing has been done; try again.",
  "reason-missing": "Give a reason. Nothing has been done.",
  "not-found": "Nothing was found.",
  fault: "Something went wrong on our side. Look first whether it was done, then try again.",
  ended: "The permission has ended.",
  "not-ended": "There was nothing to end: the permission has ended already.",
  unlocked: "The customer can sign in again.",
  "request-made": "The request has been sent. Another person has to approve it.",
  "request-approved": "Approved: it holds from now on. The report to the authority is ready.",
  "request-refused": "The request has been refused.",
  "request-withdrawn": "The request has been withdrawn.",
  "open-already": "A request for this TPP is open already. Nothing has been done.",
  "decided-already": "This has been decided already.",
  "own-request": "Nobody approves or refuses a request of their own. Nothing has been done.",
  "not-own-request": "Only who has made a request withdraws it. Nothing has been done.",
  "over-already": "The block would be over already. Nothing has been done.",
  "basis-wrong": "Choose a legal basis. Nothing has been done.",
  "until-wrong": "Choose a day that is not over, or none. Nothing has been done.",
  "secrecy-reason-missing": "Say why the customers are not told. Nothing has been done.",
};

type Words<Word extends string> = Readonly<Record<Word, string>>;

const because: Words<FailureReason | PaymentRejection> = {
  cancelled: "the customer cancelled",
  "too-many-tries": "too many wrong passwords or codes",
  "psu-blocked": "the customer’s sign-in is blocked",
  "window-over": "the customer did not answer in time",
  "withdrawn-by-tpp": "the TPP withdrew it",
  "not-own-account": "the account is not one of the customer’s",
  "account-gone": "the account is closed",
  "last-day-over": "the last day of the consent is over",
  "tpp-blocked": "the TPP is blocked",
  "opted-out": "the customer refuses such requests",
  "customer-blocked": "the bank has blocked the customer",
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

const englishCases = {
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
      : `Next question to the core bank; it has not answered ${attempts === 1 ? "once" : `${attempts} times`}`,
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
    optOuts: "Requests that the customer refuses",
    noOptOuts: "The customer refuses no requests of TPPs.",
    anyTpp: "any TPP",
    optOut: (kind: string, tpp: string) => `${kind}: ${tpp}`,
  },
};

const psd2Roles: Readonly<Record<Psd2Role, string>> = {
  PSP_AS: "account servicing (PSP_AS)",
  PSP_PI: "payment initiation (PSP_PI)",
  PSP_AI: "account information (PSP_AI)",
  PSP_IC: "card issuing (PSP_IC)",
};

const bases: Readonly<Record<LegalBasis, string>> = {
  "unauthorised-access": "Unauthorised or fraudulent access or payments (PSD2 art. 68(5))",
  "authority-order": "Order of the competent authority",
  "request-of-tpp": "Request of the TPP itself",
  "certificate-compromised": "A certificate of the TPP is compromised",
  "reasons-over": "The reasons for the block are over (PSD2 art. 68(5), last sentence)",
  "blocked-by-mistake": "The TPP was blocked by mistake",
};

const secrecy: Readonly<Record<SecrecyGround, string>> = {
  security: "No: it would compromise objectively justified security reasons",
  law: "No: another law prohibits it",
};

const actions: Readonly<Record<TppAction, string>> = {
  block: "Block",
  unblock: "Let in again",
};

const outcomes: Readonly<Record<RequestOutcome | "open", string>> = {
  open: "Waits for a second person",
  approved: "Approved",
  refused: "Refused",
  withdrawn: "Withdrawn",
};

/** What the console says of TPPs, and of what two people decide about one. */
const englishTpps = {
  heading: "TPPs",
  lead: "The TPPs whose certificates this bank has accepted, and their traffic in the last 7 days.",
  columns: {
    name: "Name",
    id: "Identifier",
    authority: "Authority",
    roles: "Roles",
    blocked: "Blocked",
    reads: "Reads",
    requests: "Consents and payments requested",
    refused: "Refused",
    share: "Refused of all",
  },
  roles: psd2Roles,
  notBlocked: "No",
  blockedUntil: (end: string | undefined) =>
    end === undefined ? "Until it is let in again" : `Until ${end}`,
  unknown: "This TPP has not come to this bank yet.",
  inForce: "Consents in force",
  affected: (permissions: number, psus: number) =>
    `${permissions}, of ${psus === 1 ? "1 customer" : `${psus} customers`}`,
  traffic: "Traffic of the last 30 days",
  trafficColumns: {
    day: "Day",
    what: "What",
    value: "State, code or data",
    part: "Of",
    count: "Number",
  },
  certificates: "Certificates seen",
  certificateColumns: {
    kind: "Kind",
    serial: "Serial number",
    issuer: "Issuer",
    first: "First seen",
    end: "Ends",
  },
  consents: "Consents by state",
  consentColumns: { kind: "Kind", status: "State", count: "Number" },
  requests: "Requests to block or to let in again",
  requestColumns: {
    at: "Requested",
    action: "What",
    basis: "Legal basis",
    by: "By",
    state: "State",
  },
  details: "Details",
  actions,
  bases,
  outcomes,
  request: {
    begin: { block: "Request a block", unblock: "Request to let it in again" },
    heading: {
      block: (name: string) => `Request to block ${name}`,
      unblock: (name: string) => `Request to let ${name} in again`,
    },
    lead: "Nothing changes until another person, with the role of approver, has approved it.",
    basis: "Legal basis",
    choose: "Choose one",
    reason: "Facts and reasons",
    reasonHint: "For the bank and the competent authority. Neither the TPP nor a customer sees it.",
    until: "Last day of the block",
    untilHint: "Without one, the block holds until the TPP is let in again.",
    tell: "Are the customers told?",
    told: "Yes, on their pages",
    secrecyReason: "If not: why",
    secrecyHint: "PSD2 art. 68(5) allows these two exceptions only. Say what makes it one of them.",
    submit: "Send the request",
    keep: "Back",
  },
  secrecy,
  blocks: {
    heading: "Four eyes",
    lead: "What one person has requested, another one approves or refuses.",
    about: {
      block: (name: string) => `Block ${name}`,
      unblock: (name: string) => `Let ${name} in again`,
    },
    requested: "Requested",
    decided: "Decided",
    note: "Note",
    noteLabel: { approve: "Note on the approval", refuse: "Note on the refusal" },
    by: (who: string, at: string) => `by ${who}, ${at}`,
    own: "You have requested this yourself: another person approves or refuses it.",
    ownByClient:
      "This was requested in your name through the bank API: another person approves or refuses it, and it cannot be withdrawn.",
    over: "The block would be over already: the request can only be refused.",
    approve: "Approve",
    refuse: "Refuse",
    withdraw: "Withdraw the request",
    report: "Report to the authority",
  },
  report: {
    heading: {
      block: "Report of an incident: access of a TPP denied",
      unblock: "Report: access of a TPP allowed again",
    },
    bank: "Account servicing payment service provider",
    reference: "Reference of the bank",
    tpp: "Payment service provider concerned",
    authority: "Competent authority of that provider",
    unknownTpp: "has not come to this bank yet",
    basis: "Legal basis",
    facts: "Facts and reasons",
    from: "Measure taken at",
    until: "Until",
    noEnd: "until the reasons no longer exist",
    affected: "Consents of customers in force",
    measures: "Measures",
    measure: {
      block:
        "Every request of the provider is refused from that time on, on all interfaces; no authorisation of it can be completed. Payments that customers had confirmed before are executed.",
      unblock:
        "Requests of the provider are served again from that time on. Its consents are as they were.",
    },
    customers: "Information of the customers",
    told: "given on their pages with the measure",
    noticeWithheld: (ground: string, reason: string) => `not given. ${ground}. ${reason}`,
    grounds: {
      security: "It would compromise objectively justified security reasons",
      law: "It is prohibited by other law",
    },
    made: "Report made at",
    text: "Download as text",
    print: "To print it, use the browser’s print command. It is kept as it was made.",
  },
};

/** What is counted by the day. */
const englishCounted: Readonly<Record<Counted, string>> = {
  "consent-requested": "Consent requested",
  "consent-status": "Consent became",
  "payment-requested": "Payment requested",
  "payment-status": "Payment became",
  "sca-status": "Authorisation",
  "sca-proved": "Proved by",
  "request-refused": "Refused",
  read: "Read",
};

const englishStatistics = {
  heading: "Statistics",
  counted: (to: string) => `Counted up to ${to}.`,
  from: "From",
  to: "To",
  show: "Show",
  given: "Consents given by day",
  consents: "Consents by state",
  payments: "Payments by product and status",
  refusals: "Refusals by code",
  proofs: "Proofs of customers by means",
  outcomes: "Authorisations by outcome",
  all: "All counts by day",
  count: "Number",
};

const englishHealth = {
  heading: "Health",
  lead: "What this server needs, and when the jobs of any server have last come to their end.",
  answers: "What answers",
  of: {
    database: "Database",
    coreBank: "Core bank",
    customers: "Identity provider of customers",
    staff: "Identity provider of staff",
  },
  yes: "Answers",
  no: "Does not answer",
  notNamed: "None is named: the sandbox’s own",
  jobs: "Jobs",
  job: {
    sweep: "Ends what is over, removes what is kept no longer",
    "event-keeping": "Seals and counts events",
    payments: "Submits payments and follows them",
  } as Readonly<Record<string, string>>,
  queues: "What waits",
  paymentWaits: "Oldest payment that the core bank has not accepted, authorised at",
  sealed: "Last hour of events sealed",
  unsent: "A seal to be sent elsewhere, since",
  countedTo: "Events counted up to",
  webhooks: "Webhooks to the bank’s own systems",
  outbox: (waiting: number, failing: number, since: string) =>
    `${waiting} wait, the oldest since ${since}; ${failing} have failed at least once`,
  nothing: "Nothing",
};

const englishKeys = {
  heading: "Keys and certificates",
  lead: "Of this server, of the issuers that it trusts, and of TPPs whose certificates end within 30 days.",
  columns: {
    what: "What",
    subject: "Subject or id",
    changed: "Last changed",
    end: "Ends",
    left: "Left",
  },
  kinds: {
    tls: "TLS certificate for TPPs",
    "bank-api": "TLS certificate for the bank’s own systems",
    "core-bank": "Client certificate for the core bank",
    seal: "Seal of notifications (QSealC)",
    anchor: "Trusted issuer",
    list: "Trusted list, next update",
    "signing-key": "Token signing key (kid)",
    secret: "Secret",
    tpp: "Certificate of a TPP",
  },
  signs: "signs",
  verifies: "verifies",
  unchanged: "Not changed",
  noEnd: "When it is replaced",
  over: "Over",
  daysLeft: (days: number, soon: boolean) =>
    `${soon ? "Soon: " : ""}${days === 1 ? "1 day" : `${days} days`}`,
};

export const english = {
  lang: "en" as Language,
  title: (heading: string, bankName: string) => `${heading} - Staff console - ${bankName}`,
  errorTitle: (title: string) => `Error: ${title}`,
  money: (amount: Money) => money(formats, amount),
  instant: (at: Date, timeZone: string) => dayAndTime(formats, at, timeZone),
  day: (date: Parameters<typeof day>[1]) => day(formats, date),
  frame: {
    place: "Staff console",
    language: "Language of this page",
    errorSummary: "There is a problem",
    navigation: "Pages of the console",
    signedInAs: (name: string, of: readonly StaffRole[]) =>
      `${name} (${of.map((role) => roles[role]).join(", ")})`,
    signOut: "Sign out",
    limits: (staff: { readonly inactivityMinutes: number; readonly sessionMinutes: number }) =>
      `You sign in again after ${duration(formats, staff.inactivityMinutes)} without activity, and after ${duration(formats, staff.sessionMinutes)} in any case. What you look at and do here is on record.`,
  },
  navigation: {
    home: "Start",
    search: "Search",
    tpps: "TPPs",
    blocks: "Four eyes",
    statistics: "Statistics",
    health: "Health",
    keys: "Keys",
    events: "Events",
  },
  said,
  events: {
    heading: "Events",
    lead: "What was recorded in an hour, and in that order. Nobody can change it unseen: npm run bank -- events verify compares it with the seals.",
    day: "Day",
    hour: "Hour (UTC)",
    everyKind: "All kinds",
    next: "What follows in this hour",
    columns: {
      recordedAt: "Recorded at",
      kind: "Kind",
      actor: "By",
      tppId: "TPP",
      about: "About",
      detail: "Detail",
    },
  },
  table: {
    filter: "Filter",
    apply: "Apply",
    csv: "Download as CSV",
    none: "There is nothing to show.",
    only: {
      newest: (count: number) => `Only the newest ${count} are shown.`,
      first: (count: number) => `Only the first ${count} are shown.`,
    },
  },
  signIn: {
    heading: "Sign in",
    lead: "This console is for the bank’s staff.",
    provider: (bankName: string) => `Sign in with ${bankName}`,
    operator: "User",
    password: "Password",
    submit: "Sign in",
    demo: "Operators of this sandbox",
  },
  home: {
    heading: "Start",
    lead: "Choose a page above. Which ones there are follows from your roles.",
  },
  alone: {
    forbidden: {
      heading: "Your role does not allow this",
      lead: "The page or the action needs another role. That you have tried is on record.",
    },
    "not-found": { heading: "Page not found", lead: "There is nothing at this address." },
    fault: {
      heading: "Something went wrong on our side",
      lead: "Try again in a moment.",
    },
  },
  toStart: "To the start",
  cases: englishCases,
  tpps: englishTpps,
  counted: englishCounted,
  statistics: englishStatistics,
  health: englishHealth,
  keys: englishKeys,
};

export type StaffTexts = typeof english;
