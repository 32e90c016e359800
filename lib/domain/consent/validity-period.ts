import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import { addDays, endOfDayIn, type IsoDate } from "../iso-date";
import type { AccountConsent } from "./account-consent";

/** The standard's way to ask for as long as possible. */
const AS_LONG_AS_POSSIBLE = "9999-12-31" as IsoDate;

export type PeriodAsked = { readonly recurringIndicator: boolean; readonly validUntil: IsoDate };

/** Why this `validUntil` cannot be, in words for the TPP's developer; undefined when it can. */
export function validUntilFault(
  { recurringIndicator, validUntil }: PeriodAsked,
  today: IsoDate,
  { accountConsent }: AspspProfile,
): string | undefined {
  if (validUntil === AS_LONG_AS_POSSIBLE) return undefined;
  if (validUntil < today) return `validUntil ${validUntil} is in the past, today is ${today}`;
  if (!recurringIndicator) {
    return validUntil === today ? undefined : `a one-off consent is valid today only (${today})`;
  }
  const last = addDays(today, accountConsent.recurringDaysMax);
  return validUntil <= last
    ? undefined
    : `validUntil is at most ${accountConsent.recurringDaysMax} days ahead (${last})`;
}

/** The day that is kept: `9999-12-31` becomes the last one possible. */
export function settleValidUntil(
  { recurringIndicator, validUntil }: PeriodAsked,
  today: IsoDate,
  { accountConsent }: AspspProfile,
): { readonly validUntil: IsoDate; readonly shortened: boolean } {
  if (validUntil !== AS_LONG_AS_POSSIBLE) return { validUntil, shortened: false };
  const last = recurringIndicator ? addDays(today, accountConsent.recurringDaysMax) : today;
  return { validUntil: last, shortened: true };
}

/**
 * The first instant at which an authorised consent has ended. Recurring: the end of the local day
 * `validUntil`, or 180 days after SCA (RTS art. 10a), whichever is first; one-off: ten minutes.
 */
export function endOfConsent(
  consent: Pick<AccountConsent, "recurringIndicator" | "validUntil">,
  authorisedAt: Date,
  { accountConsent, timeZone }: AspspProfile,
): Date {
  if (!consent.recurringIndicator)
    return after(authorisedAt, accountConsent.oneOffMinutes, "minute");
  const endOfPeriod = endOfDayIn(timeZone, consent.validUntil);
  const scaAgain = after(authorisedAt, accountConsent.recurringDaysMax, "day");
  return new Date(Math.min(endOfPeriod.getTime(), scaAgain.getTime()));
}
