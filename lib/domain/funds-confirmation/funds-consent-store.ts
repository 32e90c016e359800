import type { AuthorisationId, ConsentId, TppId } from "../identifiers";
import type { Authorisation } from "../sca/authorisation";
import type { FundsConsent } from "./funds-consent";
import type { FundsConsentStatus } from "./funds-consent-status";

export type FundsConsentTransition = {
  readonly consentId: ConsentId;
  readonly from: FundsConsentStatus;
  readonly to: FundsConsentStatus;
  readonly at: Date;
};

export type FundsConsentStore = {
  /**
   * The consent and its implicitly started authorisation, both or neither. False when this TPP has
   * started an authorisation of this kind with this request id before.
   */
  readonly insert: (consent: FundsConsent, authorisation: Authorisation) => Promise<boolean>;
  readonly find: (id: ConsentId) => Promise<FundsConsent | undefined>;
  /** A consent of another TPP is not found: unknown and foreign cannot be told apart. */
  readonly findOfTpp: (id: ConsentId, tppId: TppId) => Promise<FundsConsent | undefined>;
  readonly findByAuthorisation: (id: AuthorisationId) => Promise<FundsConsent | undefined>;
  /**
   * Ends the consent (every `to` but `valid`): its open authorisation fails and its tokens die with
   * it, all or nothing. False when it was no longer in `from`.
   */
  readonly end: (transition: FundsConsentTransition) => Promise<boolean>;
};
