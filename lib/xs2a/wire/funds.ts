import * as z from "zod";
import { type Rejection, reject } from "@/lib/domain/errors";
import {
  type FundsConsent,
  type FundsConsentRequest,
  type FundsRequest,
  fundsConsentOfSameRequest,
  fundsConsentTransitions,
} from "@/lib/domain/funds";
import {
  type Answer,
  type Form,
  headersOfCreation,
  replyOf,
  type SchemaContext,
  type Xs2aPorts,
} from "../declaration";
import {
  accountReferenceSent,
  consentIdHeader,
  createdAt,
  currency,
  jsonObject,
  keysOf,
  linksToAuthorise,
  plainText,
} from "./common";
import { type ConsentCall, consentRequestOf, isoDate, statusReadAs } from "./consents";
import { amountIn, paymentAccount } from "./payments";

/** The body of a new confirmation of funds consent: the account is named, the PSU has no choice of it. */
export const fundsConsentRequest: Form<FundsConsentRequest> = ({ today }: SchemaContext) =>
  z.strictObject(
    {
      account: paymentAccount,
      cardNumber: plainText(35).exactOptional(),
      cardExpiryDate: isoDate
        .refine((day) => day >= today, "lies in the past: the consent would end before it began")
        .exactOptional(),
      cardInformation: plainText(140).exactOptional(),
      registrationInformation: plainText(140).exactOptional(),
    },
    jsonObject,
  );

const consentStatus = z.enum(keysOf(fundsConsentTransitions));

const created = z.strictObject({
  consentStatus,
  consentId: z.uuid(),
  _links: linksToAuthorise,
});

const consent = z.strictObject({
  account: accountReferenceSent,
  cardNumber: z.string().max(35).optional(),
  cardExpiryDate: z.iso.date().optional(),
  cardInformation: z.string().max(140).optional(),
  registrationInformation: z.string().max(140).optional(),
  consentStatus,
});

export const fundsConsentCreated = replyOf(
  {
    status: 201,
    description: "The consent is there, and waits for the PSU to authorise it.",
    headers: headersOfCreation,
    body: created,
  },
  (made: FundsConsent, { links }: Pick<Xs2aPorts, "links">) => {
    const self = `${links.cbpii}/v2/consents/confirmation-of-funds/${made.id}`;
    const { headers, _links } = createdAt(self, made.authorisationId, links.scaOAuth);
    return { headers, value: { consentStatus: made.status, consentId: made.id, _links } };
  },
);

/** What the TPP sent, and where it stands: not the id, no links, and nothing of the PSU. */
export const fundsConsentRead = replyOf(
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

export const fundsConsentStatusRead = statusReadAs(consentStatus);

/** The consent is named in a header; where the PSU is does not matter to a till. */
export const fundsHeaders = z.object({ "consent-id": consentIdHeader });

/** `payee` is for the PSU to read, who is not present: it is validated and not used. */
export const fundsConfirmationRequest: Form<FundsRequest> = z
  .strictObject(
    {
      account: paymentAccount,
      // The standard's amounts have three digits after the dot at most. Whether a rate is needed depends on the account.
      instructedAmount: amountIn(currency, 3),
      cardNumber: plainText(35).exactOptional(),
      payee: plainText(70).exactOptional(),
    },
    jsonObject,
  )
  .transform(({ instructedAmount, payee: _, ...question }) => ({
    ...question,
    amount: instructedAmount,
  }));

/** Exactly this (PSD2 art. 65(3)): no balance, and nothing from which one could be derived. */
export const fundsConfirmed = replyOf(
  {
    status: 200,
    description: "Yes or no.",
    body: z.strictObject({ fundsAvailable: z.boolean() }),
  },
  (fundsAvailable: boolean) => ({ value: { fundsAvailable } }),
);

export async function fundsConsentAnswered(
  call: ConsentCall,
  ports: Xs2aPorts,
): Promise<Answer | undefined> {
  const consent = await fundsConsentOfSameRequest(ports, consentRequestOf(call));
  return consent && fundsConsentCreated(consent, ports);
}

/** Where the bank has switched the service off nothing begins; consents that there are can be read and ended. */
export function fundsUnknown(
  _segments: unknown,
  { profile }: Pick<Xs2aPorts, "profile">,
): Rejection | undefined {
  if (profile.features.fundsConfirmation) return undefined;
  return reject("RESOURCE_UNKNOWN", "the confirmation of funds is not offered");
}
