import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";

/** Country and national part with the check digits of ISO 13616 between them. */
export function ibanOf(country: string, bban: string): Iban {
  const digits = `${bban}${country}00`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  const check = 98n - (BigInt(digits) % 97n);
  return `${country}${String(check).padStart(2, "0")}${bban}` as Iban;
}

/** An account of this bank by its number. */
export function ownIban(number: number): Iban {
  return ibanOf(
    aspspProfile.country,
    `${aspspProfile.bankCode}0001${String(number).padStart(12, "0")}`,
  );
}
