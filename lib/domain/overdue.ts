import { type Authorisation, settleWindow } from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import { type AccountConsent, type ConsentPorts, currentConsent } from "./consents";
import { currentFundsConsent, type FundsConsent, type FundsConsentPorts } from "./funds";
import { addTime, dayIn, type IsoDate, type TppId } from "./values";

type SettlingPorts = ConsentPorts & FundsConsentPorts & { readonly overdue: Overdue };

/**
 * Ends what is overdue and has not been read since. Each read ends it too, but a consent that is never read again
 * would keep its tokens. The rules are the same as at a read, and each end takes place once, however many
 * servers find it. True when there may be more. Of one TPP, where it has a clock of its own.
 */
export async function settleOverdue(
  ports: SettlingPorts,
  now: Date,
  tppId?: TppId,
): Promise<boolean> {
  const { sweep, timeZone } = ports.profile;
  const { rowsAtOnce } = sweep;
  const authorisations = await ports.overdue.authorisations(now, rowsAtOnce, tppId);
  for (const authorisation of authorisations) await settleWindow(ports, authorisation, now);
  const consents = await ports.overdue.consents(endedBy(ports.profile, now), rowsAtOnce, tppId);
  for (const consent of consents) await currentConsent(ports, consent, now);
  const funds = await ports.overdue.fundsConsents(dayIn(timeZone, now), rowsAtOnce, tppId);
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

/** What time has ended while nobody looked. Each list is the longest overdue first, `limit` at most; of one TPP or of all. */
export type Overdue = {
  /** Not decided, though their window is over. */
  readonly authorisations: (
    now: Date,
    limit: number,
    tppId?: TppId,
  ) => Promise<readonly Authorisation[]>;
  /** Valid, though their time has run out. */
  readonly consents: (
    ended: EndedBy,
    limit: number,
    tppId?: TppId,
  ) => Promise<readonly AccountConsent[]>;
  /** Valid, though the last day of their card is before `today`. */
  readonly fundsConsents: (
    today: IsoDate,
    limit: number,
    tppId?: TppId,
  ) => Promise<readonly FundsConsent[]>;
};

/** By when a consent has run out: recurring by its last day or the time since SCA, one-off by the latter. */
type EndedBy = {
  /** A `validUntil` before this day is over. */
  readonly lastDayBefore: IsoDate;
  /** Recurring: authorised at this instant or earlier. */
  readonly recurringSince: Date;
  readonly oneOffSince: Date;
};
