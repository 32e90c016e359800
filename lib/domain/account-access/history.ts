import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { AccountConsent } from "../consent/account-consent";
import { addDays, dayIn, type IsoDate } from "../iso-date";
import { reject } from "../rejection";

/**
 * Ninety days back from the request and no further, save in the first ten minutes after SCA
 * (RTS art. 10a). The ninetieth day itself is still open. Rejects with 400 PERIOD_INVALID.
 */
export function checkHistory(
  profile: AspspProfile,
  consent: Pick<AccountConsent, "authorisedAt">,
  from: IsoDate,
  now: Date,
  path?: string,
): void {
  const { historyDays, unlimitedHistoryMinutes } = profile.accountConsent;
  const { authorisedAt } = consent;
  const fresh =
    authorisedAt !== undefined && now < after(authorisedAt, unlimitedHistoryMinutes, "minute");
  const oldest = addDays(dayIn(profile.timeZone, now), -historyDays);
  if (fresh || from >= oldest) return;
  const text = `entries before ${oldest} (${historyDays} days) are open only in the first ${unlimitedHistoryMinutes} minutes after the PSU's authorisation`;
  throw reject("PERIOD_INVALID", text, path === undefined ? {} : { path });
}
