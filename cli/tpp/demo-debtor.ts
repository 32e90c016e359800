/** Accounts of the sandbox's demo customer Ana; a TPP knows an IBAN because its customer gave it. */
const CURRENT = "RO06DRWB0001000000000101";
const TRAVEL = "RO76DRWB0001000000000102";

/** The account that suits the currency: the travel account has several, the current account lei. */
export function demoDebtor(currency: string): string {
  return currency === "RON" ? CURRENT : TRAVEL;
}
