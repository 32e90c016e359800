import type { AuthorisationId, ConsentId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Authorisation } from "../sca/authorisation";
import type { AccountConsent } from "./account-consent";
import type { ConsentStatus } from "./consent-status";

/** A change of status; it takes place only if the consent is still in `from`. */
export type ConsentTransition = {
  readonly consentId: ConsentId;
  readonly from: ConsentStatus;
  readonly to: ConsentStatus;
  readonly on: IsoDate;
  readonly at: Date;
};

export type ConsentStore = {
  /**
   * The consent and its implicitly started authorisation, both or neither. False when this TPP has
   * started an authorisation of this kind with this request id before.
   */
  readonly insert: (consent: AccountConsent, authorisation: Authorisation) => Promise<boolean>;
  readonly find: (id: ConsentId) => Promise<AccountConsent | undefined>;
  /** A consent of another TPP is not found: unknown and foreign cannot be told apart. */
  readonly findOfTpp: (id: ConsentId, tppId: TppId) => Promise<AccountConsent | undefined>;
  readonly findByAuthorisation: (id: AuthorisationId) => Promise<AccountConsent | undefined>;
  /**
   * Ends the consent (every `to` but `valid`): its open authorisation fails and its tokens die with
   * it, all or nothing. False when it was no longer in `from`.
   */
  readonly end: (transition: ConsentTransition) => Promise<boolean>;
};
