import type { FundsConsent } from "../funds-confirmation/funds-consent";
import type { IsoDate } from "../iso-date";
import type { Authorisation } from "../sca/authorisation";
import type { AccountConsent } from "./account-consent";

/** What time has ended while nobody looked. Each list is the longest overdue first, `limit` at most. */
export type Overdue = {
  /** Not decided, though their window is over. */
  readonly authorisations: (now: Date, limit: number) => Promise<readonly Authorisation[]>;
  /** Valid, though their time has run out. */
  readonly consents: (ended: EndedBy, limit: number) => Promise<readonly AccountConsent[]>;
  /** Valid, though the last day of their card is before `today`. */
  readonly fundsConsents: (today: IsoDate, limit: number) => Promise<readonly FundsConsent[]>;
};

/** By when a consent has run out: recurring by its last day or the time since SCA, one-off by the latter. */
export type EndedBy = {
  /** A `validUntil` before this day is over. */
  readonly lastDayBefore: IsoDate;
  /** Recurring: authorised at this instant or earlier. */
  readonly recurringSince: Date;
  readonly oneOffSince: Date;
};
