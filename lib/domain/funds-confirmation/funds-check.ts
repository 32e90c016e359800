import type { BankAccount } from "../account-access/bank-account";
import type { Iban } from "../iban";
import type { ConsentId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Currency, Money } from "../money";
import type { FundsConsent } from "./funds-consent";

export type FundsQuestion = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly now: Date;
  /** The bank's local day: a card counts to the end of its last one. */
  readonly today: IsoDate;
  /** Checks the consent may save up, and how long it takes to get one back. */
  readonly checksSavedMax: number;
  readonly secondsPerCheck: number;
  /** What decides whether there will be an answer: only then the check is in the access history. */
  readonly asked: FundsAsked;
};

export type FundsAsked = {
  readonly iban: Iban;
  readonly currency?: Currency | undefined;
  readonly cardNumber?: string | undefined;
  /** The currencies of accounts that the amount can be compared with. */
  readonly convertibleTo: readonly Currency[];
};

/** What one look at the database shows of a consent and of the account it is for. */
export type FundsLook = {
  readonly consent: FundsConsent;
  /** False when the consent has used up its checks. Only a valid consent's are counted. */
  readonly admitted: boolean;
  /** Seconds until the next check is admitted; 0 when there is one left. */
  readonly retryAfterSeconds: number;
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
