import { ibanOfBank } from "@/lib/core-bank/ledger/own-iban";
import { bankProfile } from "@/lib/profile/in-force";

/**
 * An account of the sandbox's demo customer Ana, with the profile that BANK_PROFILE names; a TPP knows an IBAN because its
 * customer gave it. It suits the currency: the travel account has several, the current account lei.
 */
export function demoDebtor(currency: string, profile = bankProfile()): string {
  return ibanOfBank(profile, "0001", currency === "RON" ? 101 : 102);
}
