import type { GrantedAccount } from "../consent/account-consent";
import type { AccountId, AuthorisationId, ConsentId, PsuId, TppId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Authorisation, Challenge, ResourceKind } from "./authorisation";

/** Every method is one conditional statement or one transaction; `undefined` or `false`: too late. */
export type AuthorisationStore = {
  readonly find: (id: AuthorisationId) => Promise<Authorisation | undefined>;
  readonly findByResource: (
    kind: ResourceKind,
    resourceId: string,
  ) => Promise<Authorisation | undefined>;
  /** Every URI an open authorisation of this TPP may send its PSU back to. */
  readonly redirectUrisOf: (tppId: TppId, now: Date) => Promise<readonly string[]>;

  /**
   * Counts an attempt before it is judged, so that parallel guesses cannot outrun the limit.
   * Undefined when the limit is reached, the window is over or the authorisation is decided.
   */
  readonly takeAttempt: (
    id: AuthorisationId,
    attemptsMax: number,
    now: Date,
  ) => Promise<Authorisation | undefined>;

  /**
   * A right password: binds the PSU, gives the attempt back. From `received` it becomes
   * `psuAuthenticated`; a PSU who signs in again stays where they were. False for another PSU.
   */
  readonly authenticate: (id: AuthorisationId, psuId: PsuId, now: Date) => Promise<boolean>;

  /** Keeps selection and challenge, replacing earlier ones, and counts the code; `started`. */
  readonly startChallenge: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    challenge: Challenge,
    codesSentMax: number,
    now: Date,
  ) => Promise<boolean>;

  /**
   * The PSU's yes to an account consent, whole: authorisation `finalised` (only if this very
   * challenge is still the open one), consent `valid` with these accounts, and an older recurring
   * consent of the same TPP and PSU `expired` when this one is recurring. False when another
   * request was first.
   */
  readonly finaliseAccountConsent: (decision: AccountConsentDecision) => Promise<boolean>;

  /** The PSU's no, the last failed attempt or the end of the window: resource rejected, tokens dead. */
  readonly fail: (id: AuthorisationId, on: IsoDate, at: Date) => Promise<boolean>;
};

export type AccountConsentDecision = {
  readonly authorisationId: AuthorisationId;
  readonly consentId: ConsentId;
  readonly psuId: PsuId;
  readonly codeFingerprint: string;
  readonly grantedAccounts: readonly GrantedAccount[];
  readonly on: IsoDate;
  readonly at: Date;
};
