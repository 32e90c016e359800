import { after } from "../clock";
import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { AccountConsent } from "./account-consent";
import { endOfConsent } from "./validity-period";

/**
 * The consent as it stands now. Time ends consents without anybody calling: one whose end has come
 * is settled on the way, so that no answer depends on whether a job has passed by.
 */
export async function currentConsent(
  ports: Pick<Ports, "consents" | "authorisations" | "profile">,
  consent: AccountConsent,
  now: Date,
): Promise<AccountConsent> {
  const on = dayIn(ports.profile.timeZone, now);
  if (mayBeOver(ports, consent, now)) {
    const id = consent.authorisationId;
    await ports.authorisations.fail({ id, because: "window-over", on, at: now });
  } else if (hasRunOut(ports, consent, now)) {
    await ports.consents.end({ consentId: consent.id, from: "valid", to: "expired", on, at: now });
  } else {
    return consent;
  }
  // Another request may have decided it first: the store has the last word.
  return (await ports.consents.find(consent.id)) ?? consent;
}

/** If its PSU was given more time, nothing fails. */
function mayBeOver({ profile }: Pick<Ports, "profile">, consent: AccountConsent, now: Date) {
  return (
    consent.status === "received" &&
    now >= after(consent.createdAt, profile.sca.windowMinutes, "minute")
  );
}

function hasRunOut({ profile }: Pick<Ports, "profile">, consent: AccountConsent, now: Date) {
  if (consent.status !== "valid" || consent.authorisedAt === undefined) return false;
  return now >= endOfConsent(consent, consent.authorisedAt, profile);
}
