import type { ResourceKind } from "./authorisation";
import type { PsuId, RequestId, TppId } from "./values";

/**
 * How long events are kept, in months, each for its legal ground: `security` for as long as a PSU may contest a payment
 * (PSD2 art. 71) with the time to look into it, `permission` for the five years of PSD2 art. 21 and the running year,
 * `administration` for the ten of the bank's own books.
 */
export const keptMonths = { security: 18, permission: 72, administration: 120 } as const;

export type Retention = keyof typeof keptMonths;
export const retentions = Object.keys(keptMonths) as [Retention, ...Retention[]];

/** Every kind of event, and how long it is kept; docs/events.md says what each of them holds. */
export const eventKinds = {
  "consent-requested": "permission",
  "consent-status": "permission",
  "consent-first-used": "permission",
  "payment-requested": "permission",
  "payment-status": "permission",
  "sca-status": "permission",
  "sca-proved": "permission",
  "sca-attempt": "security",
  "psu-blocked": "security",
  "session-opened": "security",
  "session-ended": "security",
  "passkey-added": "permission",
  "passkey-removed": "permission",
  "opt-out-set": "permission",
  "opt-out-ended": "permission",
  "tokens-issued": "security",
  "tokens-revoked": "security",
  "request-refused": "security",
  "certificate-status-unknown": "security",
  "idempotency-mismatch": "security",
  "funds-search": "security",
  "customer-viewed": "security",
  "webhooks-dropped": "administration",
  "tpp-seen": "administration",
  "tpp-blocked": "administration",
  "tpp-unblocked": "administration",
  "tpp-block-requested": "administration",
  "tpp-block-approved": "administration",
  "tpp-block-refused": "administration",
  "tpp-block-withdrawn": "administration",
  "operator-command": "administration",
  "staff-signed-in": "administration",
  "staff-signed-out": "administration",
  "staff-refused": "administration",
  "customer-unlocked": "security",
  "server-started": "administration",
  "profile-changed": "administration",
  "key-changed": "administration",
  "events-removed": "administration",
  "hold-placed": "administration",
  "hold-released": "administration",
} as const satisfies Readonly<Record<string, Retention>>;

export type EventKind = keyof typeof eventKinds;
export const kindsOfEvents = Object.keys(eventKinds) as [EventKind, ...EventKind[]];

export function isEventKind(text: unknown): text is EventKind {
  return kindsOfEvents.some((kind) => kind === text);
}

/** Never an amount, a name, an IBAN or a secret. */
export type EventDetail = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Most events are recorded by the database, in the transaction that changes what they tell of; these are not. */
export type NewEvent = {
  readonly kind: EventKind;
  readonly tppId?: TppId | undefined;
  readonly requestId?: RequestId | undefined;
  readonly resource?: { readonly kind: ResourceKind; readonly id: string } | undefined;
  readonly psuId?: PsuId | undefined;
  readonly actor?: string | undefined;
  readonly detail?: EventDetail | undefined;
};

/** Append-only: the database refuses to change or remove an event. */
export type EventLog = { readonly record: (event: NewEvent) => Promise<void> };

/** Records who is refused for want of trust; nobody waits for it. */
export type RefusalLog = { readonly note: (refused: Refused) => void };

export type Refused = {
  readonly error: unknown;
  /** Unknown where its certificate was refused. */
  readonly tppId?: TppId | undefined;
  /** What else tells one caller from another: the certificate as it came (RFC 9440). */
  readonly certificate: string | undefined;
  readonly requestId?: RequestId | undefined;
};

/** An event as it is exported, sealed and read: a line of JSON, whose members always come in the same order. */
export type EventLine = {
  readonly id: string;
  /** Instants of this form have the order of their texts. */
  readonly recordedAt: string;
  readonly retention: Retention;
  readonly kind: EventKind;
  readonly line: string;
};

export type EventFilter = {
  /** Recorded at this instant or later, and before the other: instants as PostgreSQL reads them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Of the hours that have a seal. */
  readonly isSealed?: true;
  readonly retention?: Retention | undefined;
  readonly kind?: EventKind | undefined;
  readonly tppId?: TppId | undefined;
  readonly requestId?: RequestId | undefined;
  readonly resourceId?: string | undefined;
  readonly psuId?: PsuId | undefined;
};

export type EventPosition = Pick<EventLine, "id" | "recordedAt"> & {
  /** Absent in a cursor that was handed out before cursors had it. */
  readonly retention?: Retention | undefined;
};

/** In the order in which they were recorded, from the one after `after` on. */
export type EventReader = {
  readonly list: (
    filter: EventFilter,
    page: { readonly after?: EventPosition | undefined; readonly limit: number },
  ) => Promise<readonly EventLine[]>;
};

/** What a legal hold is about. */
export const heldSubjects = ["customer", "tpp", "resource"] as const;
export type HeldSubject = (typeof heldSubjects)[number];

/** The events of one hour, and of the time without any before it. */
export type Seal = {
  readonly number: number;
  /** Of the earliest event that it can hold, and of the earliest that it cannot: hours of UTC. */
  readonly from: string;
  readonly to: string;
  /** Of each retention, how many events there are and the SHA-256 of their lines, so that one may go before the others. */
  readonly parts: Readonly<Record<Retention, { readonly events: number; readonly sha256: string }>>;
  /** SHA-256, over the digest before it as well. */
  readonly digest: string;
};
