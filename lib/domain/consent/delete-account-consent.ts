import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import { isFinal } from "./consent-status";
import { type ConsentOfTpp, readAccountConsent } from "./read-account-consent";

/**
 * The TPP ends its consent: tokens die with it and an open authorisation fails. One that has ended
 * already stays as it ended, and the answer is the same.
 */
export async function deleteAccountConsent(
  ports: Pick<Ports, "consents" | "authorisations" | "profile">,
  asked: ConsentOfTpp,
): Promise<void> {
  const consent = await readAccountConsent(ports, asked);
  if (isFinal(consent.status)) return;
  const on = dayIn(ports.profile.timeZone, asked.now);
  const end = { consentId: consent.id, to: "terminatedByTpp", on, at: asked.now } as const;
  const ended = await ports.consents.end({ ...end, from: consent.status });
  // The PSU's yes may have come in between: then the consent is valid now, and is ended from there.
  if (!ended && consent.status === "received") await ports.consents.end({ ...end, from: "valid" });
}
