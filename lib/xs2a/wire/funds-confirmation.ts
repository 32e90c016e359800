import { z } from "zod";
import type { FundsRequest } from "@/lib/domain/funds-confirmation/confirm-funds";
import { answering } from "../answers";
import type { Circumstances } from "../circumstances";
import type { Form } from "../endpoint";
import { orMissing } from "../parse";
import { consentId } from "./headers";
import { jsonObject } from "./json-object";
import { amountToPay, currencyOf, paymentAccount } from "./payment-fields";
import { plainText } from "./plain-text";

/** The consent is named in a header; where the PSU is does not matter to a till. */
export const fundsHeaders = z.object({ "consent-id": consentId });

/** `payee` is for the PSU to read, who is not here: its form is held, and it goes no further. */
export const fundsConfirmationRequest: Form<FundsRequest> = ({ profile }: Circumstances) =>
  z
    .strictObject(
      {
        account: paymentAccount,
        instructedAmount: z.strictObject(
          {
            currency: currencyOf(Object.keys(profile.ratesPerEuro), "one this bank has a rate for"),
            amount: amountToPay,
          },
          orMissing("is not an amount"),
        ),
        cardNumber: plainText(35).exactOptional(),
        payee: plainText(70).exactOptional(),
      },
      jsonObject,
    )
    .transform(({ account, instructedAmount, cardNumber }) => ({
      account,
      amount: { currency: instructedAmount.currency, minorUnits: instructedAmount.amount },
      ...(cardNumber !== undefined && { cardNumber }),
    }));

/** Exactly this (PSD2 art. 65(3)): no balance, and nothing from which one could be told. */
export const fundsConfirmed = answering(
  {
    status: 200,
    description: "Yes or no.",
    body: z.strictObject({ fundsAvailable: z.boolean() }),
  },
  (fundsAvailable: boolean) => ({ value: { fundsAvailable } }),
);
