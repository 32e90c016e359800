import { z } from "zod";
import type { AccountReference } from "@/lib/domain/consent/access-request";
import { type Currency, parseAmount } from "@/lib/domain/money";
import type { Bic } from "@/lib/domain/payment/payment";
import { orMissing } from "../parse";
import { currency, iban } from "./account-reference";
import { plainText } from "./plain-text";

/** Stands for all sub-accounts together, of which no payment can be made. */
const ALL_CURRENCIES = "XXX";

type Account = AccountReference & { readonly cashAccountType?: string };

/** What is read of an account: the kind of account that a TPP takes it for decides nothing. */
function withoutType({ iban: number, currency: code }: Account): AccountReference {
  return code === undefined ? { iban: number } : { iban: number, currency: code };
}

/** Debtor and creditor: by IBAN alone; `bban`, `pan` and the others are told by name. */
export const paymentAccount = z
  .strictObject(
    {
      iban,
      currency: currency
        .meta({ pattern: `^(?!${ALL_CURRENCIES}$)[A-Z]{3}$` })
        .refine((code) => code !== ALL_CURRENCIES, "names no one sub-account")
        .exactOptional(),
      cashAccountType: plainText(35).exactOptional(),
    },
    orMissing("is not an account"),
  )
  .transform(withoutType);

/** Money is text, a dot at most, and never a number: `1e3` and `0.1` of a float are not exact. */
export const amountToPay = z
  .string(orMissing("is not a text"))
  .meta({
    description: "Above zero, with two digits after the dot at most.",
    pattern: "^(?=.*[1-9])[0-9]{1,14}(\\.[0-9]{1,2})?$",
  })
  .transform((text, issues) => {
    const minorUnits = parseAmount(text);
    if (minorUnits !== undefined && minorUnits > 0n) return minorUnits;
    const message = "is not an amount above zero: 14 digits, a dot and two more digits at most";
    issues.addIssue({ code: "custom", message });
    return z.NEVER;
  });

/** Of a list; what is not in it is told with the list. */
export const currencyOf = (currencies: readonly string[], what: string) =>
  z
    .string(orMissing("is not a currency"))
    .meta({ enum: currencies })
    .refine((code) => currencies.includes(code), `is not ${what}: ${currencies.join(", ")}`)
    .transform((code) => code as Currency);

/** In a currency of the product. */
export const instructedAmount = (currencies: readonly string[]) =>
  z
    .strictObject(
      {
        currency: currencyOf(currencies, "a currency of this product"),
        amount: amountToPay,
      },
      orMissing("is not an amount"),
    )
    .transform(({ currency: code, amount }) => ({ currency: code, minorUnits: amount }));

/** The bank, not its branch: eight of the eleven characters that ISO 9362 knows. */
export const bic = z
  .string(orMissing("is not a BIC"))
  .regex(/^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]$/, "is not a BIC of eight characters")
  .transform((text) => text as Bic);

export const creditorAddress = z.strictObject(
  {
    streetName: plainText(70).exactOptional(),
    buildingNumber: plainText(70).exactOptional(),
    townName: plainText(70).exactOptional(),
    postCode: plainText(35).exactOptional(),
    country: z
      .string(orMissing("is not a country"))
      .regex(/^[A-Z]{2}$/, "is not a country: two capital letters"),
  },
  orMissing("is not an address"),
);

export const chargeBearer = z.enum(["DEBT", "CRED", "SHAR", "SLEV"], {
  error: "is one of DEBT, CRED, SHAR, SLEV",
});

/** A field of the standard that this product does not have; sent all the same, it is refused. */
export const notOffered = z.never({ error: "is not supported" }).exactOptional();
