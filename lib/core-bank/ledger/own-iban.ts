import { composeIBAN, countrySpecs } from "ibantools";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { Iban } from "@/lib/domain/values";

/** Country and check digits. */
const BEFORE_BANK_CODE = 4;
const DIGITS_MIN = 7;

/**
 * The IBAN of an account of this bank: its digits begin with the prefix and end with the number, filled or cut to the
 * country's length. Throws an Error where the country has no such IBAN.
 */
export function ibanOfBank(
  { country, bankCode }: Pick<AspspProfile, "country" | "bankCode">,
  prefix: string,
  number: number,
): Iban {
  const digits = (countrySpecs[country]?.chars ?? 0) - BEFORE_BANK_CODE - bankCode.length;
  const rest = String(number)
    .padStart(digits - prefix.length, "0")
    .slice(prefix.length - digits);
  const bban = `${bankCode}${prefix}${rest}`;
  const iban = digits < DIGITS_MIN ? null : composeIBAN({ countryCode: country, bban });
  if (iban !== null) return iban as Iban;
  throw new Error(
    `bank profile: with the country ${country} and the bankCode ${bankCode} the sandbox can make no IBANs`,
  );
}
