import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import { currentFundsConsent } from "../funds-confirmation/current-funds-consent";
import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import { settleWindow } from "../sca/current-authorisation";
import { currentConsent } from "./current-consent";
import type { EndedBy, Overdue } from "./overdue";

type SettlingPorts = Pick<Ports, "authorisations" | "consents" | "fundsConsents" | "profile"> & {
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
    recurringSince: after(now, -accountConsent.recurringDaysMax, "day"),
    oneOffSince: after(now, -accountConsent.oneOffMinutes, "minute"),
  };
}
