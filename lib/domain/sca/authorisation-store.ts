import type { GrantedAccount } from "../consent/account-consent";
import type {
  AccountId,
  AuthorisationId,
  ConsentId,
  PaymentId,
  PsuId,
  RequestId,
  TppId,
} from "../identifiers";
import type { IsoDate } from "../iso-date";
import type { Debit } from "../payment/payment";
import type {
  Authorisation,
  Challenge,
  FailureReason,
  PasskeyChallenge,
  ResourceKind,
} from "./authorisation";
import type { Confirmed } from "./subject";

/**
 * What became of an authorisation that was to start with its resource: both are kept, or neither, because
 * this TPP has started one of this kind with this request id before, or has too many open.
 */
export type Start = "kept" | "used" | "full";

/** Every method is one conditional statement or one transaction; `undefined` or `false`: too late. */
export type AuthorisationStore = {
  readonly find: (id: AuthorisationId) => Promise<Authorisation | undefined>;
  readonly findByResource: (
    kind: ResourceKind,
    resourceId: string,
  ) => Promise<Authorisation | undefined>;
  /** The one that this TPP's request has started; each starts one of a kind at most. */
  readonly findByRequest: (
    kind: ResourceKind,
    tppId: TppId,
    requestId: RequestId,
  ) => Promise<Authorisation | undefined>;
  /** Whether an open authorisation of this TPP sends its PSU back to this URI. */
  readonly isOpenRedirectUri: (tppId: TppId, uri: string, now: Date) => Promise<boolean>;

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

  /** Keeps the selection and ends every challenge that was open; `started`. */
  readonly select: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    now: Date,
  ) => Promise<boolean>;

  /**
   * Keeps a passkey's challenge in place of an earlier one; a code that is waited for stays. Only while
   * this is what is selected.
   */
  readonly startPasskeyChallenge: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    challenge: PasskeyChallenge,
    now: Date,
  ) => Promise<boolean>;

  /** Keeps selection and challenge, replacing earlier ones, and counts the code; `started`. */
  readonly startChallenge: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    challenge: Challenge,
    codesSentMax: number,
    now: Date,
  ) => Promise<boolean>;

  /**
   * The code of this challenge went nowhere: nothing is waited for any more, and it does not count as
   * sent; from `undeliveredMax` such codes on it does, since a gateway may be wrong about what it took.
   */
  readonly withdrawCode: (
    id: AuthorisationId,
    codeFingerprint: string,
    undeliveredMax: number,
    now: Date,
  ) => Promise<void>;

  /** Moves the end of a window that still runs to `until`, never back; the row as it is then. */
  readonly extendWindow: (
    id: AuthorisationId,
    until: Date,
    now: Date,
  ) => Promise<Authorisation | undefined>;

  /**
   * The PSU's yes to an account consent, whole: authorisation `finalised` (only if this very
   * challenge is still the open one), consent `valid` with these accounts, and an older recurring
   * consent of the same TPP and PSU `expired` when this one is recurring. False when another
   * request was first.
   */
  readonly finaliseAccountConsent: (decision: AccountConsentDecision) => Promise<boolean>;

  /**
   * The PSU's yes to a funds consent: authorisation `finalised`, consent `valid` for this account. False
   * when another request was first.
   */
  readonly finaliseFundsConsent: (decision: FundsConsentDecision) => Promise<boolean>;

  /**
   * The PSU's yes to a payment, whole: the link is computed again from the rows (if it differs `gone`, and
   * nothing has changed); authorisation `finalised`, payment ACTC and in the outbox, to be submitted to
   * the core bank.
   */
  readonly finalisePayment: (
    decision: PaymentDecision,
  ) => Promise<"finalised" | "gone" | "too-late">;

  /**
   * The PSU's no, the last failed attempt or the end of the window: resource rejected, tokens dead.
   * False as well when a window is said to be over that was extended meanwhile.
   */
  readonly fail: (failure: Failure) => Promise<boolean>;
};

export type Failure = {
  readonly id: AuthorisationId;
  readonly because: FailureReason;
  readonly on: IsoDate;
  readonly at: Date;
};

export type AccountConsentDecision = Confirmed & {
  readonly authorisationId: AuthorisationId;
  readonly consentId: ConsentId;
  readonly grantedAccounts: readonly GrantedAccount[];
};

export type FundsConsentDecision = Confirmed & {
  readonly authorisationId: AuthorisationId;
  readonly consentId: ConsentId;
  readonly accountId: AccountId;
};

export type PaymentDecision = Confirmed & {
  readonly authorisationId: AuthorisationId;
  readonly paymentId: PaymentId;
  readonly debit: Debit;
  /** The hash of what is paid that the PSU's proof was judged with. */
  readonly linked: string;
  /** When the outbox submits it, unless the core bank has answered by then. */
  readonly submitAgainAt: Date;
};
