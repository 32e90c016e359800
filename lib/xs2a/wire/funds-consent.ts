import { z } from "zod";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import {
  type FundsConsentStatus,
  fundsConsentTransitions,
} from "@/lib/domain/funds-confirmation/funds-consent-status";
import type { Answer } from "../endpoint";
import type { Xs2aPorts } from "../ports";
import { accountReferenceSent } from "./account-reference";
import { link } from "./link";

const consentStatus = z.enum(Object.keys(fundsConsentTransitions) as FundsConsentStatus[]);

const created = z.strictObject({
  consentStatus,
  consentId: z.uuid(),
  _links: z.strictObject({ scaOAuth: link, self: link, status: link, scaStatus: link }),
});

const consent = z.strictObject({
  account: accountReferenceSent,
  cardNumber: z.string().max(35).optional(),
  cardExpiryDate: z.iso.date().optional(),
  cardInformation: z.string().max(140).optional(),
  registrationInformation: z.string().max(140).optional(),
  consentStatus,
});

export function fundsConsentCreated(
  made: FundsConsent,
  { links }: Pick<Xs2aPorts, "links">,
): Answer {
  const self = `${links.cbpii}/v2/consents/confirmation-of-funds/${made.id}`;
  const value = {
    consentStatus: made.status,
    consentId: made.id,
    _links: {
      scaOAuth: { href: links.scaOAuth },
      self: { href: self },
      status: { href: `${self}/status` },
      scaStatus: { href: `${self}/authorisations/${made.authorisationId}` },
    },
  };
  const headers = { location: self, "aspsp-sca-approach": "REDIRECT" };
  return { status: 201, headers, body: { schema: created, value } };
}

/** What the TPP sent, and where it stands: not the id, no links, and nothing of the PSU. */
export function fundsConsentRead(made: FundsConsent): Answer {
  const value = {
    account: made.account,
    cardNumber: made.cardNumber,
    cardExpiryDate: made.cardExpiryDate,
    cardInformation: made.cardInformation,
    registrationInformation: made.registrationInformation,
    consentStatus: made.status,
  };
  return { status: 200, body: { schema: consent, value } };
}

export function fundsConsentStatusRead({ status }: Pick<FundsConsent, "status">): Answer {
  const schema = z.strictObject({ consentStatus });
  return { status: 200, body: { schema, value: { consentStatus: status } } };
}
