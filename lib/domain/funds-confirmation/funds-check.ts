import type { BankAccount } from "../account-access/bank-account";
import type { Iban } from "../iban";
import type { ConsentId, RequestId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Currency, Money } from "../money";
import type { FundsConsent } from "./funds-consent";

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
  /** For the audit log, where the question is part of a search. */
  readonly requestId: RequestId;
  readonly now: Date;
  /** The bank's local day: a card counts to the end of its last one. */
  readonly today: IsoDate;
  /** Checks the consent may save up, and how long it takes to get one back. */
  readonly checksSavedMax: number;
  readonly secondsPerCheck: number;
  readonly search: FundsSearchLimits;
  /** What decides whether there will be an answer: only then the check is in the access history. */
  readonly asked: FundsAsked;
};

export type FundsAsked = {
  readonly iban: Iban;
  readonly currency?: Currency | undefined;
  readonly cardNumber?: string | undefined;
  /** The amount in each currency of an account that it can be compared with the funds of. */
  readonly amounts: readonly Money[];
};

/** What one look at the database shows of a consent and of the account it is for. */
export type FundsLook = {
  readonly consent: FundsConsent;
  /** False when the consent has used up its checks. Only a valid consent's are counted. */
  readonly admitted: boolean;
  /** Seconds until the next check is admitted; 0 when there is one left. */
  readonly retryAfterSeconds: number;
  /** Set when the answer would help to find the balance: seconds until there is one at the latest. */
  readonly searchRetrySeconds?: number | undefined;
  /** Absent when the account is gone, or is no longer the PSU's who authorised the consent. */
  readonly account?:
    | {
        readonly currency: Currency;
        readonly status: BankAccount["status"];
        /** Balance plus overdraft less what is reserved; absent when the look was not admitted. */
        readonly available?: Money | undefined;
      }
    | undefined;
};

/** One statement: a card's holder waits at the till. Undefined for an unknown or another TPP's consent. */
export type FundsCheck = {
  readonly look: (question: FundsQuestion) => Promise<FundsLook | undefined>;
};
