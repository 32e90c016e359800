import { accountMeant } from "../consent/account-meant";
import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import type { Subject } from "../sca/subject";

type ConsentPorts = Pick<Ports, "fundsConsents" | "authorisations" | "coreBank">;

/** A confirmation of funds consent as what a code stands for: this account for this card's issuer. */
export async function fundsConsentSubject(
  ports: ConsentPorts,
  authorisation: Authorisation,
): Promise<Subject | undefined> {
  const { psuId } = authorisation;
  const consent = await ports.fundsConsents.findByAuthorisation(authorisation.id);
  if (consent === undefined || psuId === undefined) return undefined;
  const account = accountMeant(consent.account, await ports.coreBank.accountsOf(psuId));
  if (account === undefined) return undefined;
  return {
    linked: account.id,
    purpose: { kind: "PIIS", iban: consent.account.iban, until: consent.cardExpiryDate },
    finalise: async (confirmed) => {
      const finalised = await ports.authorisations.finaliseFundsConsent({
        ...confirmed,
        authorisationId: authorisation.id,
        consentId: consent.id,
        accountId: account.id,
      });
      return finalised ? "finalised" : "too-late";
    },
  };
}
