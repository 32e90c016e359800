import type { Debit, GrantedAccount } from "./accounts";
import type { AspspProfile } from "./bank-profile";
import { type Rejection, reject } from "./errors";
import type { Signed } from "./passkeys";
import type { Tpp } from "./tpp";
import {
  type AccountId,
  type AuthorisationId,
  addTime,
  type ConsentId,
  dayIn,
  type IsoDate,
  type PaymentId,
  type PsuId,
  type RequestId,
  type TppId,
} from "./values";
import type { Notification } from "./webhooks";

/** The PSU's yes, with the challenge that was judged; another one is open when it has changed since. */
export type Confirmed = Proved & {
  readonly psuId: PsuId;
  readonly on: IsoDate;
  readonly at: Date;
};

/** Where the PSU's browser is sent back to; the TPP's signature vouches for both hosts. */
export type RedirectUris = { readonly redirectUri: string; readonly nokRedirectUri?: string };

/** What is authorised, by the prefix of its OAuth scope. */
export type ResourceKind = "AIS" | "PIIS" | "PIS";

/** The open challenge. Only a keyed fingerprint of the code is kept, bound to what it authorises. */
export type Challenge = { readonly codeFingerprint: string; readonly expiresAt: Date };

/** The same for a passkey: it signs the nonce with what it authorises. */
export type PasskeyChallenge = { readonly nonce: string; readonly expiresAt: Date };

/** The same for the identity provider, which is sent a hash of the nonce with what it authorises. */
export type ApprovalChallenge = {
  readonly nonce: string;
  readonly expiresAt: Date;
  /** Of the customer's app: the provider's id of the request, and when it may be asked about again. */
  readonly request?: { readonly id: string; readonly pollAt: Date };
};

/** The SHA-256 of what a challenge authorises, which tells a change of that from a wrong answer. */
export type Linking = { readonly linkHash: string };

/** A question to the provider about this challenge, known by when the next may be asked. */
export type ApprovalPoll = { readonly nonce: string; readonly pollAt: Date };

/** Which challenge was answered. Several may be open at once; a right answer to one ends all. */
export type Judged = JudgedHere | { readonly approvalNonce: string };
export type JudgedHere = { readonly codeFingerprint: string } | { readonly passkeyNonce: string };

/**
 * A right answer. A signature is kept whole with the decision: the bank has to prove that its PSU has
 * authorised it (PSD2 art. 72(1)).
 */
export type Proved =
  | { readonly codeFingerprint: string }
  | { readonly passkeyNonce: string; readonly evidence: PasskeyEvidence }
  | { readonly approvalNonce: string; readonly evidence: ApprovalEvidence };

/** `text` is what the challenge is the SHA-256 of; with it anybody can verify the signature again. */
type PasskeyEvidence = Signed & { readonly text: string };

/** The identity provider's word for it; `text` is what the hash that it was sent is the SHA-256 of. */
type ApprovalEvidence = ProvedByProvider & {
  readonly means: "ciba" | "oidc";
  readonly text: string;
  readonly idToken: string;
};

/** What an ID token says of how the customer was authenticated (OpenID Connect Core 2). */
export type ProvedByProvider = {
  readonly acr?: string | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly authTime?: Date | undefined;
};

/** The first element: the bank's password, or a sign-in at its identity provider. */
export type LoginProof =
  | { readonly means: "password" }
  | ({ readonly means: "oidc" } & ProvedByProvider);

export type FailureReason =
  | "cancelled"
  | "too-many-tries"
  | "psu-blocked"
  | "window-over"
  | "withdrawn-by-tpp"
  | "not-own-account"
  | "account-gone"
  | "last-day-over"
  | "tpp-blocked"
  | "opted-out"
  | "customer-blocked";

/** One PSU's authorisation of one resource, and what the PSU has proved so far. */
export type Authorisation = {
  readonly id: AuthorisationId;
  readonly kind: ResourceKind;
  /** ConsentId or PaymentId, as `kind` says. */
  readonly resourceId: string;
  readonly tppId: TppId;
  /** Of the TPP's request that started it; each starts one authorisation of a kind and no more. */
  readonly requestId: RequestId;
  /** Of that request, to recognise its repetition; a payment keeps its own. */
  readonly bodyDigest?: string;
  readonly scaStatus: ScaStatus;
  readonly redirectUris: RedirectUris;
  /** Set where the TPP is told of changes of status. */
  readonly notification?: Notification;
  /** The TPP's PSU-ID header: it fills the login field, no more. */
  readonly loginHint?: string | undefined;
  /** The TPP's PSU-Accept-Language header, in the form of Accept-Language (RFC 9110 12.5.4). */
  readonly acceptLanguage?: string | undefined;
  /** The first PSU who logs in; nobody else can go on from there. */
  readonly psuId?: PsuId;
  /** Wrong passwords and wrong codes together; RTS art. 4(3)(b). */
  readonly failedAttempts: number;
  readonly selection: readonly AccountId[];
  readonly challenge?: Challenge;
  readonly passkeyChallenge?: PasskeyChallenge;
  readonly approval?: ApprovalChallenge;
  /** Of what all open challenges authorise; absent where a release before this one has opened them. */
  readonly linkHash?: string;
  /** With the requests to the customer's app. */
  readonly codesSent: number;
  readonly createdAt: Date;
  readonly failedBecause?: FailureReason;
  /** The end of the SCA window. */
  readonly expiresAt: Date;
};

/**
 * States of an authorisation. A login proves identity and password together, so `psuIdentified`,
 * which would tell a TPP that a user ID exists, is never entered. `started` may start again: a new
 * code or another selection of accounts replaces the challenge.
 */
export const scaTransitions = {
  received: ["psuAuthenticated", "failed"],
  psuAuthenticated: ["started", "failed"],
  started: ["started", "finalised", "failed"],
  finalised: [],
  failed: [],
} as const satisfies Record<string, readonly string[]>;

export type ScaStatus = keyof typeof scaTransitions;

export function mayMove(from: ScaStatus, to: ScaStatus): boolean {
  return (scaTransitions[from] as readonly ScaStatus[]).includes(to);
}

export function isDecided(status: ScaStatus): boolean {
  return scaTransitions[status].length === 0;
}

/** The states from which the table allows to reach `to`; what a conditional UPDATE asks for. */
export function statesBefore(to: ScaStatus): readonly ScaStatus[] {
  return (Object.keys(scaTransitions) as ScaStatus[]).filter((from) => mayMove(from, to));
}

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
  /**
   * The accounts of the consent that this PSU has authorised last for this TPP; none where there is no such consent, or
   * where the PSU has ended one of this TPP since.
   */
  readonly earlierSelection: (tppId: TppId, psuId: PsuId) => Promise<readonly AccountId[]>;
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

  /** An attempt was no failure: it is taken off the count, unless the authorisation is decided. */
  readonly giveBackAttempt: (id: AuthorisationId, now: Date) => Promise<void>;

  /**
   * The PSU is known: binds the PSU and keeps by which means; a right password gives its attempt back. From
   * `received` it becomes `psuAuthenticated`; a PSU who signs in again stays where they were. False for another PSU.
   */
  readonly authenticate: (
    id: AuthorisationId,
    psuId: PsuId,
    now: Date,
    proof?: LoginProof,
  ) => Promise<boolean>;

  /** Keeps the selection and ends every challenge that was open; `started`. With `only`, where that is still the hash. */
  readonly select: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    now: Date,
    only?: { readonly linkHash: string | undefined },
  ) => Promise<boolean>;

  /**
   * Keeps a passkey's challenge in place of an earlier one; that of a code for the same stays open. Only while
   * this is the selection.
   */
  readonly startPasskeyChallenge: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    challenge: PasskeyChallenge & Linking,
    now: Date,
  ) => Promise<boolean>;

  /** Keeps selection and challenge, replacing earlier ones, and counts the code; `started`. */
  readonly startChallenge: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    challenge: Challenge & Linking,
    codesSentMax: number,
    now: Date,
  ) => Promise<boolean>;

  /**
   * The customer's app is about to be asked: keeps the selection and counts it like a code; `started`. What is open
   * for this selection stays.
   */
  readonly countAppRequest: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    linkHash: string,
    codesSentMax: number,
    now: Date,
  ) => Promise<boolean>;

  /** It could not be asked, which does not count; from `undeliveredMax` on it does, as with a code. */
  readonly uncountAppRequest: (
    id: AuthorisationId,
    undeliveredMax: number,
    now: Date,
  ) => Promise<void>;

  /** Keeps the identity provider's challenge in place of an earlier one. Only while this is the selection. */
  readonly startApproval: (
    id: AuthorisationId,
    selection: readonly AccountId[],
    approval: ApprovalChallenge & Linking,
    now: Date,
  ) => Promise<boolean>;

  /**
   * One of several requests at once may ask the provider; the next not before `pollAt`. With `isNotified` it need not
   * wait for the pause after the last one.
   */
  readonly takeApprovalPoll: (
    id: AuthorisationId,
    poll: ApprovalPoll & { readonly isNotified: boolean },
    now: Date,
  ) => Promise<boolean>;

  /** The provider wants a longer pause after this question. */
  readonly postponeApprovalPoll: (
    id: AuthorisationId,
    poll: ApprovalPoll,
    until: Date,
    now: Date,
  ) => Promise<void>;

  /** The answer to this question was the last, and no yes; unless somebody has asked again since. */
  readonly endApproval: (id: AuthorisationId, poll: ApprovalPoll, now: Date) => Promise<void>;

  /** The authorisation whose app request the provider says it has an answer to. */
  readonly findByApprovalRequest: (requestId: string) => Promise<Authorisation | undefined>;

  /**
   * The code could not be delivered: its challenge ends, and it does not count as sent; from `undeliveredMax`
   * such codes on it does, since a gateway may deliver what it reported as failed.
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
   * The PSU's no, the last failed attempt or the end of the window: resource rejected, tokens revoked.
   * False also for `window-over` when the window was extended meanwhile.
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
  /** Earlier recurring consents of the same TPP and PSU are left as they are. */
  readonly keepsEarlier?: boolean;
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

export type AuthorisationPorts = {
  readonly authorisations: AuthorisationStore;
  readonly profile: AspspProfile;
};

type Starting = Omit<CreationRequest, "tpp" | "knownTpp" | "bodyDigest"> & {
  readonly tpp: Pick<Tpp, "id">;
  readonly bodyDigest?: string;
};

/** The authorisation that begins with its resource: it is started implicitly. */
export function startedAuthorisation(
  { profile }: Pick<AuthorisationPorts, "profile">,
  resource: Pick<Authorisation, "id" | "kind" | "resourceId">,
  asked: Starting,
): Authorisation {
  const { tpp, requestId, bodyDigest, redirectUris, notification, now } = asked;
  const { loginHint, acceptLanguage } = asked;
  return {
    ...resource,
    tppId: tpp.id,
    requestId,
    ...(bodyDigest !== undefined && { bodyDigest }),
    scaStatus: "received",
    redirectUris,
    ...(notification !== undefined && { notification }),
    loginHint,
    acceptLanguage,
    failedAttempts: 0,
    selection: [],
    codesSent: 0,
    createdAt: now,
    expiresAt: addTime(now, profile.sca.windowMinutes, "minute"),
  };
}

/** 429: nothing of the request was kept, so it may be sent again as it is. */
export function tooManyOpen({ profile: { sca } }: Pick<AuthorisationPorts, "profile">): Rejection {
  const text = `${sca.openPerTppMax} authorisations of this TPP wait for their PSUs already`;
  const headers = { "retry-after": String(sca.openRetryAfterSeconds) };
  return reject("ACCESS_EXCEEDED", text, { headers });
}

/** A request for a consent or a payment, by all that has to be the same when it is repeated. */
export type CreationRequest = {
  readonly tpp: Tpp;
  /** The bank's record of this TPP when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly requestId: RequestId;
  /** Of the request's bytes, base64url of their SHA-256. */
  readonly bodyDigest: string;
  readonly redirectUris: RedirectUris;
  readonly notification?: Notification | undefined;
  readonly loginHint?: string | undefined;
  readonly acceptLanguage?: string | undefined;
  readonly now: Date;
};

/**
 * The authorisation that this very request has started before: a TPP whose connection broke may repeat it
 * to learn the consent's id. Undefined when another body or other headers came under the same id, and
 * after `consentAnswerHours`.
 */
export async function startedBefore(
  { authorisations, profile }: AuthorisationPorts,
  kind: ResourceKind,
  asked: CreationRequest,
): Promise<Authorisation | undefined> {
  const first = await authorisations.findByRequest(kind, asked.tpp.id, asked.requestId);
  if (first === undefined || !isSameRequest(first, asked)) return undefined;
  const until = addTime(first.createdAt, profile.request.consentAnswerHours, "hour");
  return asked.now < until ? first : undefined;
}

function isSameRequest(first: Authorisation, asked: CreationRequest): boolean {
  return (
    first.bodyDigest === asked.bodyDigest &&
    first.redirectUris.redirectUri === asked.redirectUris.redirectUri &&
    first.redirectUris.nokRedirectUri === asked.redirectUris.nokRedirectUri &&
    first.notification?.uri === asked.notification?.uri &&
    first.notification?.content.join() === asked.notification?.content.join() &&
    first.loginHint === asked.loginHint
  );
}

/** Another request under an id that has been used, or the same one when its consent has been decided. */
export function usedRequestId(): Rejection {
  const text =
    "this X-Request-ID has created a consent before; it is answered again only with the same body and headers, while the consent is received";
  return reject("FORMAT_ERROR", text, { path: "X-Request-ID" });
}

/** The authorisation with this id of this resource. Rejects with 404 RESOURCE_UNKNOWN if it is not the resource's. */
export async function authorisationOf(
  { authorisations }: Pick<AuthorisationPorts, "authorisations">,
  resource: { readonly authorisationId: AuthorisationId },
  id: AuthorisationId,
): Promise<Authorisation> {
  const found = resource.authorisationId === id ? await authorisations.find(id) : undefined;
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", "this authorisation is not known");
  return found;
}

type Wanted = {
  readonly kind: ResourceKind;
  readonly resourceId: string;
  readonly tppId: TppId;
  readonly now: Date;
};

/** The authorisation as it is now (see `settleWindow`). Undefined for another TPP's and an unknown one. */
export async function currentAuthorisation(
  ports: AuthorisationPorts,
  { kind, resourceId, tppId, now }: Wanted,
): Promise<Authorisation | undefined> {
  const found = await ports.authorisations.findByResource(kind, resourceId);
  return found?.tppId === tppId ? settleWindow(ports, found, now) : undefined;
}

/**
 * Fails an authorisation whose window is over, and with it its resource, so that no answer depends on whether the
 * sweep has run; any other is returned as it is.
 */
export async function settleWindow(
  ports: AuthorisationPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<Authorisation> {
  const { id, scaStatus, expiresAt } = authorisation;
  if (isDecided(scaStatus) || now < expiresAt) return authorisation;
  await failAuthorisation(ports, { id, because: "window-over", now });
  // Another request may have decided it just before its end: the store has the last word.
  return (await ports.authorisations.find(id)) ?? { ...authorisation, scaStatus: "failed" };
}

/** The end that no extension passes. */
export function lastWindowEnd(
  { sca }: Pick<AspspProfile, "sca">,
  { createdAt }: Pick<Authorisation, "createdAt">,
): Date {
  return addTime(createdAt, sca.windowMinutesMax, "minute");
}

/** More time for the PSU (WCAG 2.2, 2.2.1): a whole window from now on, up to the last end. Not once decided or over. */
export async function extendWindow(
  { authorisations, profile }: AuthorisationPorts,
  { authorisation, now }: { readonly authorisation: Authorisation; readonly now: Date },
): Promise<Authorisation> {
  const { id } = authorisation;
  const last = lastWindowEnd(profile, authorisation);
  const whole = addTime(now, profile.sca.windowMinutes, "minute");
  const until = new Date(Math.min(whole.getTime(), last.getTime()));
  const extended = await authorisations.extendWindow(id, until, now);
  return extended ?? (await authorisations.find(id)) ?? authorisation;
}

type Ending = Pick<Failure, "id" | "because"> & { readonly now: Date };

/** On today's day of the bank's calendar. What is decided stays as it is: cancelling twice is harmless. */
export async function failAuthorisation(
  { authorisations, profile }: AuthorisationPorts,
  { id, because, now }: Ending,
): Promise<void> {
  await authorisations.fail({ id, because, on: dayIn(profile.timeZone, now), at: now });
}
