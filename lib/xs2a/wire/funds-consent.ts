import { z } from "zod";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import {
  type FundsConsentStatus,
  fundsConsentTransitions,
} from "@/lib/domain/funds-confirmation/funds-consent-status";
import { answering, headersOfCreation } from "../answers";
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

export const fundsConsentCreated = answering(
  {
    status: 201,
    description: "The consent is there, and waits for the PSU to authorise it.",
    headers: headersOfCreation,
    body: created,
  },
  (made: FundsConsent, { links }: Pick<Xs2aPorts, "links">) => {
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
    return { headers: { location: self, "aspsp-sca-approach": "REDIRECT" }, value };
  },
);

/** What the TPP sent, and where it stands: not the id, no links, and nothing of the PSU. */
export const fundsConsentRead = answering(
  {
    status: 200,
    description: "The consent as it was asked for, and where it stands.",
    body: consent,
  },
  (made: FundsConsent) => ({
    value: {
      account: made.account,
      cardNumber: made.cardNumber,
      cardExpiryDate: made.cardExpiryDate,
      cardInformation: made.cardInformation,
      registrationInformation: made.registrationInformation,
      consentStatus: made.status,
    },
  }),
);

export const fundsConsentStatusRead = answering(
  {
    status: 200,
    description: "Where the consent stands.",
    body: z.strictObject({ consentStatus }),
  },
  ({ status }: Pick<FundsConsent, "status">) => ({ value: { consentStatus: status } }),
);
