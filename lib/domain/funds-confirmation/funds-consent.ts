import type { AccountReference } from "../consent/access-request";
import type { AccountId, AuthorisationId, ConsentId, PsuId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { FundsConsentStatus } from "./funds-consent-status";

/** What the card's issuer sent: the account is fixed, and nothing of it ever changes. */
export type FundsConsentRequest = {
  readonly account: AccountReference;
  readonly cardNumber?: string | undefined;
  /** The last day, in the bank's local days. */
  readonly cardExpiryDate?: IsoDate | undefined;
  readonly cardInformation?: string | undefined;
  readonly registrationInformation?: string | undefined;
};

export type FundsConsent = FundsConsentRequest & {
  readonly id: ConsentId;
  readonly tppId: TppId;
  readonly authorisationId: AuthorisationId;
  readonly status: FundsConsentStatus;
  readonly createdAt: Date;
  /** Set once the PSU has authorised it. */
  readonly psuId?: PsuId | undefined;
  readonly accountId?: AccountId | undefined;
  readonly authorisedAt?: Date | undefined;
};
