import { type Authorisation, type AuthorisationStore, settleWindow } from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import { type AccountConsent, type ConsentStore, currentConsent } from "./consents";
import { currentFundsConsent, type FundsConsent, type FundsConsentStore } from "./funds";
import { addTime, dayIn, type IsoDate } from "./values";

type SettlingPorts = {
  readonly authorisations: AuthorisationStore;
  readonly consents: ConsentStore;
  readonly fundsConsents: FundsConsentStore;
  readonly profile: AspspProfile;
} & {
  readonly overdue: Overdue;
};

/**
 * Ends what time has ended and nobody has read since: whoever reads it settles it on the way, but a
 * consent that is never read again would keep its tokens. Each end is decided by the same rule as on
 * the way, and takes place once however many servers come to it. True when there may be more.
 */
export async function settleOverdue(ports: SettlingPorts, now: Date): Promise<boolean> {
  const { sweep, timeZone } = ports.profile;
  const { rowsAtOnce } = sweep;
  const authorisations = await ports.overdue.authorisations(now, rowsAtOnce);
  for (const authorisation of authorisations) await settleWindow(ports, authorisation, now);
  const consents = await ports.overdue.consents(endedBy(ports.profile, now), rowsAtOnce);
  for (const consent of consents) await currentConsent(ports, consent, now);
  const funds = await ports.overdue.fundsConsents(dayIn(timeZone, now), rowsAtOnce);
  for (const consent of funds) await currentFundsConsent(ports, consent, now);
  return [authorisations, consents, funds].some(({ length }) => length === rowsAtOnce);
}

/** The ends of `endOfConsent`, seen from now. */
export function endedBy({ accountConsent, timeZone }: AspspProfile, now: Date): EndedBy {
  return {
    lastDayBefore: dayIn(timeZone, now),
    recurringSince: addTime(now, -accountConsent.recurringDaysMax, "day"),
    oneOffSince: addTime(now, -accountConsent.oneOffMinutes, "minute"),
  };
}

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
type EndedBy = {
  /** A `validUntil` before this day is over. */
  readonly lastDayBefore: IsoDate;
  /** Recurring: authorised at this instant or earlier. */
  readonly recurringSince: Date;
  readonly oneOffSince: Date;
};
