import { newResourceId } from "../identifiers";
import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import { offerAccounts } from "../sca/offer-accounts";
import type { Confirmed, Finalisation, Subject } from "../sca/subject";
import type { AccountConsent, GrantedAccount } from "./account-consent";

type ConsentPorts = Pick<Ports, "consents" | "authorisations" | "coreBank">;

/**
 * An account information consent as what a code stands for: a code sent for one selection of accounts
 * says nothing about another. The order in which accounts were ticked does not matter.
 */
export async function accountConsentSubject(
  ports: ConsentPorts,
  authorisation: Authorisation,
): Promise<Subject | undefined> {
  const consent = await ports.consents.findByAuthorisation(authorisation.id);
  if (consent === undefined) return undefined;
  const { selection } = authorisation;
  const { recurringIndicator, validUntil } = consent;
  return {
    linked: selection.toSorted().join("\n"),
    purpose: {
      kind: "AIS",
      accounts: selection.length,
      until: recurringIndicator ? validUntil : undefined,
    },
    finalise: (confirmed) => finalise(ports, { authorisation, consent, confirmed }),
  };
}

type Finalising = {
  readonly authorisation: Authorisation;
  readonly consent: AccountConsent;
  readonly confirmed: Confirmed;
};

async function finalise(
  ports: ConsentPorts,
  { authorisation, consent, confirmed }: Finalising,
): Promise<Finalisation> {
  const grantedAccounts = await grant(ports, authorisation);
  if (grantedAccounts.length !== authorisation.selection.length) return "gone";
  const finalised = await ports.authorisations.finaliseAccountConsent({
    ...confirmed,
    authorisationId: authorisation.id,
    consentId: consent.id,
    grantedAccounts,
  });
  return finalised ? "finalised" : "too-late";
}

/** The selected accounts with their rights, as far as they are still the PSU's own. */
async function grant(
  ports: Pick<Ports, "consents" | "coreBank">,
  authorisation: Authorisation,
): Promise<readonly GrantedAccount[]> {
  if (authorisation.psuId === undefined) return [];
  const offered = await offerAccounts(ports, { authorisation, psuId: authorisation.psuId });
  return offered
    .filter(({ account }) => authorisation.selection.includes(account.id))
    .map(({ account, rights }) => ({
      resourceId: newResourceId(),
      accountId: account.id,
      iban: account.iban,
      currency: account.currency,
      rights,
    }));
}
