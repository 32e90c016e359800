import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import type { IsoDate } from "@/lib/domain/iso-date";
import { fixedAccount } from "@/lib/domain/sca/begin-challenge";
import type { Visit } from "./visit";

/** What a card's issuer may ask about, read from the rows that the code is bound to. */
export type FundsTerms = {
  readonly account: BankAccount;
  /** The last four digits: enough to know one's card by, too few to pay with it. */
  readonly cardEnding?: string | undefined;
  readonly cardInformation?: string | undefined;
  readonly registrationInformation?: string | undefined;
  readonly cardExpiryDate?: IsoDate | undefined;
};

/** Undefined when the account is none of the PSU's any more. */
export async function fundsTerms({ house, authorisation }: Visit): Promise<FundsTerms | undefined> {
  const consent = await house.fundsConsents.findByAuthorisation(authorisation.id);
  const account = await fixedAccount(house, authorisation);
  if (consent === undefined || account === undefined) return undefined;
  const { cardNumber, cardInformation, registrationInformation, cardExpiryDate } = consent;
  return {
    account,
    cardEnding: cardNumber?.match(/\d{4}(?=\D*$)/)?.[0],
    cardInformation,
    registrationInformation,
    cardExpiryDate,
  };
}
