import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";

/** By country and bank code: this bank's, whether or not there is such an account. */
export function isOwnIban(iban: Iban): boolean {
  const { country, bankCode } = aspspProfile;
  return iban.startsWith(country) && iban.startsWith(bankCode, 4);
}
