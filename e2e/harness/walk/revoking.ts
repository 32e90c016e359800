import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { revokeAccountConsent } from "@/lib/domain/consent/revoke-account-consent";
import { revokeFundsConsent } from "@/lib/domain/funds-confirmation/revoke-funds-consent";
import type { ConsentId } from "@/lib/domain/identifiers";
import { authorisationStore } from "@/lib/postgres/authorisation-store";
import type { Database } from "@/lib/postgres/client";
import { consentStore } from "@/lib/postgres/consent-store";
import { fundsConsentStore } from "@/lib/postgres/funds-consent-store";

/** What `npm run bank -- revoke` does, without a process of its own for each. */
export async function revokeAt(
  db: Database,
  kind: "AIS" | "PIIS",
  id: ConsentId,
  now: Date,
): Promise<void> {
  const ports = { authorisations: authorisationStore(db), profile: aspspProfile };
  const consents = consentStore(db);
  const fundsConsents = fundsConsentStore(db);
  const { psuId } = (await (kind === "AIS" ? consents : fundsConsents).find(id)) ?? {};
  if (psuId === undefined) return;
  await (kind === "AIS"
    ? revokeAccountConsent({ ...ports, consents }, { id, psuId, now })
    : revokeFundsConsent({ ...ports, fundsConsents }, { id, psuId, now }));
}
