import type { Branded } from "./identifiers";

/** An IBAN in upper case without blanks whose country length and check digits are right. */
export type Iban = Branded<"Iban">;

/** In groups of four, as people read it. */
export function spacedIban(iban: Iban): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}

/** For logs: country and the last four characters, nothing that names the account. */
export function maskedIban(iban: Iban): string {
  return `${iban.slice(0, 2)}…${iban.slice(-4)}`;
}
