import { aspspProfile } from "@/lib/domain/bank-profile";
import { revokeAccountConsent } from "@/lib/domain/consents";
import { revokeFundsConsent } from "@/lib/domain/funds";
import type { ConsentId } from "@/lib/domain/values";
import { authorisationStore } from "@/lib/postgres/authorisations";
import type { Database } from "@/lib/postgres/client";
import { consentStore } from "@/lib/postgres/consents";
import { fundsConsentStore } from "@/lib/postgres/funds";

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
