import { composeIBAN, countrySpecs } from "ibantools";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { Iban } from "@/lib/domain/values";

/** Country and check digits. */
const BEFORE_BANK_CODE = 4;
const DIGITS_MIN = 7;

/**
 * An account of this bank: four digits, and the number at the end of what the country's length leaves. Throws an Error
 * where that is no IBAN.
 */
export function ibanOfBank(
  { country, bankCode }: Pick<AspspProfile, "country" | "bankCode">,
  four: string,
  number: number,
): Iban {
  const digits = (countrySpecs[country]?.chars ?? 0) - BEFORE_BANK_CODE - bankCode.length;
  const rest = String(number)
    .padStart(digits - four.length, "0")
    .slice(four.length - digits);
  const bban = `${bankCode}${four}${rest}`;
  const iban = digits < DIGITS_MIN ? null : composeIBAN({ countryCode: country, bban });
  if (iban !== null) return iban as Iban;
  throw new Error(
    `bank profile: with the country ${country} and the bankCode ${bankCode} the sandbox can make no IBANs`,
  );
}
