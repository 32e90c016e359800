import type { BlockOrder, Tpp } from "./tpp";
import type { PsuId, TppId } from "./values";

/** What two of the bank's people decide about a TPP: one requests it, another approves it. */
export const tppActions = ["block", "unblock"] as const;
export type TppAction = (typeof tppActions)[number];

/**
 * On what ground, and for which of the two. PSD2 art. 68(5) lets a bank refuse a TPP for unauthorised or fraudulent
 * access, and has it let in again once the reasons are over.
 */
export const legalBases = {
  "unauthorised-access": ["block"],
  "authority-order": ["block", "unblock"],
  "request-of-tpp": ["block", "unblock"],
  "certificate-compromised": ["block"],
  "reasons-over": ["unblock"],
  "blocked-by-mistake": ["unblock"],
} as const satisfies Readonly<Record<string, readonly TppAction[]>>;
export type LegalBasis = keyof typeof legalBases;

export function basesOf(action: TppAction): readonly LegalBasis[] {
  const all = Object.entries(legalBases) as [LegalBasis, readonly TppAction[]][];
  return all.filter(([, actions]) => actions.includes(action)).map(([basis]) => basis);
}

/** The two exceptions of PSD2 art. 68(5) from telling the PSUs: reasons of security, or a law that prohibits it. */
export const secrecyGrounds = ["security", "law"] as const;
export type SecrecyGround = (typeof secrecyGrounds)[number];

export const REASON_CHARACTERS_MAX = 2_000;

/** What is asked for. `reason` is for the bank and the authority: neither the TPP nor a PSU sees it. */
export type TppBlockTerms = {
  readonly action: TppAction;
  readonly tppId: TppId;
  readonly basis: LegalBasis;
  readonly reason: string;
  /** Of a block; without it, it holds until it is lifted. */
  readonly until?: Date;
  /** Without it the PSUs are told. */
  readonly secrecy?: { readonly ground: SecrecyGround; readonly reason: string };
};

export type TermFault = "basis" | "reason" | "until" | "secrecyReason";

/** What is wrong with the terms, by the field that is to be corrected. */
export function faultsOf(terms: TppBlockTerms, now: Date): readonly TermFault[] {
  const { action, basis, reason, until, secrecy } = terms;
  const wrong: Readonly<Record<TermFault, boolean>> = {
    basis: !basesOf(action).includes(basis),
    reason: !isReason(reason),
    // Negated, so that an invalid time is a fault too: the end of 9999-12-31 is one.
    until: until !== undefined && (action === "unblock" || !(until > now)),
    secrecyReason: secrecy !== undefined && !isReason(secrecy.reason),
  };
  return (Object.keys(wrong) as TermFault[]).filter((field) => wrong[field]);
}

/** Some words, and no control characters but the ends of lines. */
function isReason(text: string): boolean {
  return /\S/.test(text) && text.length <= REASON_CHARACTERS_MAX && !/[^\P{Cc}\r\n\t]/u.test(text);
}

export const requestOutcomes = ["approved", "refused", "withdrawn"] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

export type TppBlockRequest = TppBlockTerms & {
  readonly id: string;
  /** A person or system of the bank, by an identity that stays the same. */
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly decision?: Omit<TppBlockDecision, "id">;
};

export type TppBlockDecision = {
  readonly id: string;
  readonly outcome: RequestOutcome;
  readonly by: string;
  readonly at: Date;
  readonly note?: string;
};

/** Why a request is not decided like this; the person can see it, and do something else. */
export type Undecided =
  | "unknown"
  | "decided-already"
  /** Nobody approves or refuses what they have requested themselves. */
  | "own-request"
  /** Only who has requested it withdraws it. */
  | "not-own-request"
  /** The end of the block has come before the approval. */
  | "over-already";

/** How a client of the bank API that acts for a person is on record begins; its id follows. */
export const inNameOf = (person: string) => `api:${person} by `;

/**
 * The rule of four eyes, also for a person who has made the request through a client of the bank API: what the two have
 * requested nobody withdraws, since the table holds a withdrawal to the very identity that requested it. The store applies
 * the rule to the row that it has locked.
 */
export function whyUndecided(
  request: TppBlockRequest | undefined,
  { outcome, by, at }: TppBlockDecision,
): Undecided | undefined {
  if (request === undefined) return "unknown";
  if (request.decision !== undefined) return "decided-already";
  const { requestedBy } = request;
  const isOwn = requestedBy === by;
  if (outcome === "withdrawn") return isOwn ? undefined : "not-own-request";
  if (isOwn || requestedBy.startsWith(inNameOf(by))) return "own-request";
  const { until } = request;
  return outcome === "approved" && until !== undefined && until <= at ? "over-already" : undefined;
}

/** How this person may decide an open request now. */
export function outcomesFor(
  request: TppBlockRequest,
  by: string,
  at: Date,
): readonly RequestOutcome[] {
  const { id } = request;
  return requestOutcomes.filter(
    (outcome) => whyUndecided(request, { id, outcome, by, at }) === undefined,
  );
}

/** Consents in force, and how many customers have given them. */
export type Affected = { readonly permissions: number; readonly psus: number };

/** The report to the competent authority (PSD2 art. 68(6)), in the words in which it was made. */
export type AuthorityReport = {
  readonly language: string;
  readonly heading: string;
  readonly lines: readonly { readonly label: string; readonly text: string }[];
};

/** Made with the approval, and kept with it. */
export type WriteReport = (facts: {
  readonly request: TppBlockRequest;
  readonly approval: Omit<TppBlockDecision, "outcome">;
  /** As the bank has met it; an authority may name another. */
  readonly tpp?: Tpp;
  readonly affected: Affected;
  /** Of a block: the order that holds now, which is an earlier one where that ends no earlier. */
  readonly inForce?: Pick<BlockOrder, "blockedAt" | "until">;
}) => AuthorityReport;

/** What the customers of a TPP are told on their pages. */
export type TppNotice = {
  readonly action: TppAction;
  readonly basis: LegalBasis;
  readonly tpp: Tpp;
  readonly at: Date;
  readonly until?: Date;
};

/** For how many days after it a customer is told of a block or its end; of a block, for as long as it holds. */
export const NOTICE_DAYS = 90;

export type TppBlocks = {
  /** One may be open for each TPP. */
  readonly request: (
    terms: TppBlockTerms,
    by: string,
    now: Date,
  ) => Promise<{ readonly id: string } | "open-already">;
  /**
   * Decides a request once. An approval changes the stop list and keeps the report, all at once or not at all; where the TPP
   * is blocked for as long already, as in an emergency from the command line, the report and the notices follow all the same.
   */
  readonly decide: (
    decision: TppBlockDecision,
    writeReport: WriteReport,
  ) => Promise<"decided" | Undecided>;
  readonly find: (id: string) => Promise<TppBlockRequest | undefined>;
  readonly report: (id: string) => Promise<AuthorityReport | undefined>;
  /** Of one TPP or of all, the newest first. */
  readonly list: (page: {
    readonly tppId?: TppId;
    readonly limit: number;
  }) => Promise<readonly TppBlockRequest[]>;
  readonly affectedBy: (tppId: TppId) => Promise<Affected>;
  /** Those that concern a PSU who had given the TPP a consent that was in force, the newest first. */
  readonly noticesFor: (psuId: PsuId, now: Date) => Promise<readonly TppNotice[]>;
};
