import type { Counted } from "@/lib/domain/statistics";

/** What is counted by the day. */
export const englishCounted: Readonly<Record<Counted, string>> = {
  "consent-requested": "Consent requested",
  "consent-status": "Consent became",
  "payment-requested": "Payment requested",
  "payment-status": "Payment became",
  "sca-status": "Authorisation",
  "sca-proved": "Proved by",
  "request-refused": "Refused",
  read: "Read",
};

export const englishStatistics = {
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
  none: "None in these days.",
};

export const englishHealth = {
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
  paymentDue: "A payment to be submitted, due since",
  sealed: "Last hour of events sealed",
  unsent: "A seal to be sent elsewhere, since",
  countedTo: "Events counted up to",
  webhooks: "Webhooks to the bank’s own systems",
  outbox: (waiting: number, failing: number, since: string) =>
    `${waiting} wait, the oldest since ${since}; ${failing} have failed at least once`,
  nothing: "Nothing",
};

export const englishKeys = {
  heading: "Keys and certificates",
  lead: "Of this server, of the issuers that it trusts, and of TPPs whose certificates end within 30 days.",
  columns: { what: "What", subject: "Subject or id", end: "Ends", left: "Left" },
  kinds: {
    tls: "TLS certificate for TPPs",
    "bank-api": "TLS certificate for the bank’s own systems",
    "core-bank": "Client certificate for the core bank",
    anchor: "Trusted issuer",
    list: "Trusted list, next update",
    "signing-key": "Token signing key (kid)",
    tpp: "Certificate of a TPP",
  },
  noEnd: "When it is replaced",
  over: "Over",
  daysLeft: (days: number, soon: boolean) => `${soon ? "Soon: " : ""}${days} days`,
};
