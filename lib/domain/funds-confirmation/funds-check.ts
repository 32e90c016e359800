import type { AccountId, ConsentId, RequestId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";

/** See `fundsConfirmation.search` of the profile. */
export type FundsSearchLimits = {
  readonly amountsMax: number;
  readonly amountsHours: number;
  readonly closestPercent: number;
  readonly closeAmountsMax: number;
  readonly boundsKeptDays: number;
};

export type FundsQuestion = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly accountId: AccountId;
  /** For the audit log, where the question is part of a search. */
  readonly requestId: RequestId;
  readonly now: Date;
  /** The bank's local day: a card counts to the end of its last one. */
  readonly today: IsoDate;
  /** Checks the consent may save up, and how long it takes to get one back. */
  readonly checksSavedMax: number;
  readonly secondsPerCheck: number;
  readonly search: FundsSearchLimits;
  /** Whether there will be an answer if a check is left: only then the check is in the access history. */
  readonly answered: boolean;
  /** What the answer depends on, in minor units of the account's currency; absent where it is no in any case. */
  readonly compared?: { readonly amountMinor: bigint; readonly availableMinor: bigint } | undefined;
};

export type FundsVerdict = {
  /** False when the consent has used up its checks. */
  readonly admitted: boolean;
  /** Seconds until the next check is admitted; 0 when there is one left. */
  readonly retryAfterSeconds: number;
  /** Set when the answer would help to find the balance: seconds until there is one at the latest. */
  readonly searchRetrySeconds?: number | undefined;
};

/**
 * Takes one check from those a consent has saved up and notes what its answer tells of the funds, in one
 * statement. Undefined, and nothing is counted, when the consent is not valid or its card has run out.
 */
export type FundsCheck = {
  readonly take: (question: FundsQuestion) => Promise<FundsVerdict | undefined>;
};
