import type { AuthorisationId, ConsentId, TppId } from "../identifiers";
import type { Authorisation } from "../sca/authorisation";
import type { Start } from "../sca/authorisation-store";
import type { FundsConsent } from "./funds-consent";
import type { FundsConsentStatus } from "./funds-consent-status";

export type FundsConsentTransition = {
  readonly consentId: ConsentId;
  readonly from: FundsConsentStatus;
  readonly to: FundsConsentStatus;
  readonly at: Date;
};

export type FundsConsentStore = {
  /** The consent and its implicitly started authorisation, of which a TPP has `openMax` open at most. */
  readonly insert: (
    consent: FundsConsent,
    authorisation: Authorisation,
    openMax: number,
  ) => Promise<Start>;
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
