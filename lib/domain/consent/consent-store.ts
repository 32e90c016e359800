import type { AuthorisationId, ConsentId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Authorisation } from "../sca/authorisation";
import type { Start } from "../sca/authorisation-store";
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
  /** The consent and its implicitly started authorisation, of which a TPP has `openMax` open at most. */
  readonly insert: (
    consent: AccountConsent,
    authorisation: Authorisation,
    openMax: number,
  ) => Promise<Start>;
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
