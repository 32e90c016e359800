import type { Psd2Role } from "@/lib/domain/tpp";
import type { LegalBasis, RequestOutcome, SecrecyGround, TppAction } from "@/lib/domain/tpp-blocks";

const roles: Readonly<Record<Psd2Role, string>> = {
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
export const englishTpps = {
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
  roles,
  notBlocked: "No",
  blockedUntil: (end: string | undefined) =>
    end === undefined ? "Until it is let in again" : `Until ${end}`,
  unknown: "This TPP has not come to this bank yet.",
  inForce: "Consents in force",
  affected: (permissions: number, psus: number) => `${permissions}, of ${psus} customers`,
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
  noRequests: "There are none.",
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

export type TppTexts = typeof englishTpps;
