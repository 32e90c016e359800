import type { ResourceKind } from "./authorisation";
import type { PsuDirectory } from "./psu";
import type { RefusedRequest, RefusedRequests } from "./refused-requests";
import type { Tpp } from "./tpp";
import { type Iban, isUuid, type PsuId, type RequestId, type TppId } from "./values";

/** A consent or payment, as far as a list of what was found needs it. */
export type CaseFound = {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly tppId: TppId;
  readonly tppName: string;
  readonly status: string;
  readonly requestedAt: Date;
  /** Absent while nobody has signed in for it. */
  readonly psuId?: PsuId;
};

export type CaseAsked =
  /** Of a consent, a payment, an authorisation, or the X-Request-ID of the call that began it. */
  | { readonly id: string }
  /** By reads that were served, of account data or of funds. */
  | { readonly readBy: RequestId }
  /** Of an account that was shared, or that pays or is paid. */
  | { readonly iban: Iban }
  | { readonly endToEndId: string }
  | { readonly psuId: PsuId };

/** Everything that is needed to see what has happened to one of them. */
export type CaseRecords = {
  /** The newest first. */
  readonly find: (asked: CaseAsked, limit: number) => Promise<readonly CaseFound[]>;
  /** TPPs with this id, or whose name begins so. */
  readonly tpps: (text: string, limit: number) => Promise<readonly Tpp[]>;
  /** What is on record about one, oldest first: `limit` of its newest. */
  readonly timeline: (
    resource: { readonly kind: ResourceKind; readonly id: string },
    limit: number,
  ) => Promise<readonly TimelineEntry[]>;
};

/** One line of what has happened; `what` is a word of the closed set of its source. */
export type TimelineEntry = {
  readonly at: Date;
  readonly source: "event" | "read" | "payment-status" | "submission" | "refusal";
  readonly what: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly requestId?: RequestId | undefined;
  readonly actor?: string | undefined;
};

export type Found = {
  readonly cases: readonly CaseFound[];
  readonly tpps: readonly Tpp[];
  readonly refused: readonly RefusedRequest[];
  /** By their id or user ID, not by what they have done. */
  readonly customer?: PsuId | undefined;
};

type Ports = {
  readonly caseRecords: CaseRecords;
  readonly refusedRequests: RefusedRequests;
  readonly psuDirectory: PsuDirectory;
};

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
export const SEARCH_CHARACTERS_MAX = 70;

/** Finds all that the text may be: an id, an X-Request-ID, an IBAN, an end-to-end id, a TPP or a customer. */
export async function searchCases(ports: Ports, typed: string, limit: number): Promise<Found> {
  const { caseRecords, refusedRequests } = ports;
  const text = typed.replace(/\p{Cc}+/gu, " ").trim();
  const customer = await customerBy(ports, text);
  const id = isUuid(text) ? text.toLowerCase() : undefined;
  const iban = text.replace(/\s/g, "").toUpperCase();
  const asked: readonly (CaseAsked | undefined)[] = [
    id === undefined ? { endToEndId: text } : { id },
    id === undefined ? undefined : { readBy: id as RequestId },
    IBAN.test(iban) ? { iban: iban as Iban } : undefined,
    customer && { psuId: customer },
  ];
  const found = await Promise.all(asked.map((one) => (one ? caseRecords.find(one, limit) : [])));
  const cases = [...new Map(found.flat().map((one) => [one.id, one])).values()]
    .toSorted((one, other) => other.requestedAt.getTime() - one.requestedAt.getTime())
    .slice(0, limit);
  const tpps = id === undefined ? await caseRecords.tpps(text, limit) : [];
  const refused =
    id === undefined ? [] : await refusedRequests.of({ requestId: id as RequestId }, limit);
  return { cases, tpps, refused, customer };
}

/** By the core bank's id, as far as anything is known under it, or by the user ID where the bank keeps user IDs. */
async function customerBy(
  { caseRecords, psuDirectory }: Pick<Ports, "caseRecords" | "psuDirectory">,
  text: string,
): Promise<PsuId | undefined> {
  const byUserId = await psuDirectory.findByUserId(text);
  if (byUserId !== undefined) return byUserId.id;
  const psuId = text as PsuId;
  return (await caseRecords.find({ psuId }, 1)).length === 1 ? psuId : undefined;
}
