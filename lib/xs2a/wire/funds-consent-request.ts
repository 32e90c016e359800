import { z } from "zod";
import type { FundsConsentRequest } from "@/lib/domain/funds-confirmation/funds-consent";
import type { Circumstances } from "../circumstances";
import type { Form } from "../endpoint";
import { isoDate } from "./account-consent-request";
import { jsonObject } from "./json-object";
import { paymentAccount } from "./payment-fields";
import { plainText } from "./plain-text";

/** The body of a new confirmation of funds consent: the account is named, the PSU has no choice of it. */
export const fundsConsentRequest: Form<FundsConsentRequest> = ({ today }: Circumstances) =>
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
