import { isValidIBAN } from "ibantools";
import { z } from "zod";
import type { Iban } from "@/lib/domain/iban";
import type { Currency } from "@/lib/domain/money";
import { orMissing } from "../parse";
import { plainText } from "./plain-text";

/** An IBAN in any case, with its country's length and right check digits. */
export const iban = z
  .string(orMissing("is not an IBAN"))
  .meta({
    description: "An IBAN with the right check digits, in letters of any case.",
    pattern: "^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$",
  })
  // Letters of other scripts, whose capitals can be letters of this one, spell no IBAN.
  .regex(/^[A-Za-z0-9]*$/, "is not an IBAN")
  .transform((text) => text.toUpperCase())
  .refine((text) => isValidIBAN(text), "is not an IBAN: its length or check digits are wrong")
  .transform((text) => text as Iban);

export const currency = z
  .string(orMissing("is not a currency"))
  .describe("A currency code of ISO 4217.")
  .regex(/^[A-Z]{3}$/, "is not a currency")
  .transform((text) => text as Currency);

/** IBAN is the only identifier this bank takes; `bban`, `pan` and the others are told by name. */
export const accountReference = z
  .strictObject({
    iban,
    currency: currency.optional(),
    cashAccountType: plainText(35).optional(),
  })
  .meta({
    id: "AccountAsked",
    description: "An account by its IBAN and, for one of several, its currency.",
  })
  .transform((reference) =>
    reference.currency === undefined
      ? { iban: reference.iban }
      : { iban: reference.iban, currency: reference.currency },
  );

/** As it leaves: always with the currency, since sub-accounts differ in nothing else. */
export const accountReferenceSent = z
  .strictObject({
    iban: z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
  })
  .meta({ id: "AccountReference", description: "An account by its IBAN and currency." });
