import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import { dayIn, endOfDayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { FundsConsent } from "./funds-consent";

type SettlingPorts = Pick<Ports, "fundsConsents" | "authorisations" | "profile">;

/**
 * The consent as it stands now. It ends with the card, if at all: the 180 days are a rule for account
 * information. One whose end has come is settled on the way.
 */
export async function currentFundsConsent(
  ports: SettlingPorts,
  consent: FundsConsent,
  now: Date,
): Promise<FundsConsent> {
  const { status, authorisationId: id } = consent;
  const windowEnd = after(consent.createdAt, ports.profile.sca.windowMinutes, "minute");
  if (status === "received" && now >= windowEnd) {
    const on = dayIn(ports.profile.timeZone, now);
    // If its PSU was given more time, nothing fails.
    await ports.authorisations.fail({ id, because: "window-over", on, at: now });
  } else if (status === "valid" && hasExpired(consent, now, ports.profile)) {
    const end = { consentId: consent.id, from: "valid", to: "expired", at: now } as const;
    await ports.fundsConsents.end(end);
  } else {
    return consent;
  }
  // Another request may have decided it first: the store has the last word.
  return (await ports.fundsConsents.find(consent.id)) ?? consent;
}

export function hasExpired(
  { cardExpiryDate }: Pick<FundsConsent, "cardExpiryDate">,
  now: Date,
  { timeZone }: AspspProfile,
): boolean {
  return cardExpiryDate !== undefined && cardExpiryDate < dayIn(timeZone, now);
}

/** No day comes after it; it says that the card does not expire. */
const LAST_OF_ALL_DAYS = "9999-12-31";

/** The end of the card's last day; undefined when the TPP has named none. */
export function endOfFundsConsent(
  { cardExpiryDate }: Pick<FundsConsent, "cardExpiryDate">,
  { timeZone }: AspspProfile,
): Date | undefined {
  if (cardExpiryDate === undefined || cardExpiryDate === LAST_OF_ALL_DAYS) return undefined;
  return endOfDayIn(timeZone, cardExpiryDate);
}
