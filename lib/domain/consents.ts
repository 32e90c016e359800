import type {
  AccessRequest,
  AccessRights,
  AccountReference,
  BankAccount,
  GrantedAccount,
} from "./accounts";
import {
  type Authorisation,
  type AuthorisationPorts,
  authorisationOf,
  type CreationRequest,
  failAuthorisation,
  type ResourceKind,
  type Start,
  startedAuthorisation,
  startedBefore,
  tooManyOpen,
  usedRequestId,
} from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import type { CoreBank } from "./core-bank";
import { reject } from "./errors";
import { type TppRegister, upsertTpp } from "./tpp";
import {
  type AuthorisationId,
  addDays,
  addTime,
  type ConsentId,
  dayIn,
  endOfDayIn,
  type IsoDate,
  newAuthorisationId,
  newConsentId,
  type PsuId,
  type RequestId,
  type TppId,
} from "./values";

type AccountConsentRequest = Pick<
  AccountConsent,
  "requestedAccess" | "access" | "recurringIndicator" | "validUntil" | "frequencyPerDay"
>;

type ConsentCreation = CreationRequest & { readonly request: AccountConsentRequest };

export type ConsentPorts = AuthorisationPorts & { readonly consents: ConsentStore };

/** A consent to account information as `keepConsent` keeps it, and whether its `validUntil` was shortened. */
export async function createAccountConsent(
  ports: ConsentPorts & { readonly tppRegister: TppRegister },
  asked: ConsentCreation,
): Promise<{ readonly consent: AccountConsent; readonly shortened: boolean }> {
  const { tpp, request, now } = asked;
  const today = dayIn(ports.profile.timeZone, now);
  const { validUntil, shortened } = settleValidUntil(request, today, ports.profile);
  const consent: AccountConsent = {
    ...request,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    validUntil,
    createdAt: now,
    lastActionDate: today,
    grantedAccounts: [],
  };
  return {
    consent: await keepConsent(accountConsents(ports), ports, { consent, asked }),
    shortened,
  };
}

/** The consents of one kind, with what differs between the kinds. */
export type ConsentsOf<Consent> = AuthorisationPorts & {
  readonly kind: ResourceKind;
  readonly store: ConsentStore<Consent>;
  /** A valid one whose time is over. */
  readonly hasRunOut: (consent: Consent, now: Date, profile: AspspProfile) => boolean;
  /** Why a TPP may not use it. */
  readonly notOpenBecause: Readonly<Record<Exclude<AnyConsentStatus, "valid">, string>>;
};

function accountConsents(ports: ConsentPorts): ConsentsOf<AccountConsent> {
  const { authorisations, profile, consents: store } = ports;
  const notOpenBecause = consentNotOpenBecause;
  return { authorisations, profile, kind: "AIS", store, hasRunOut, notOpenBecause };
}

/** Makes of a use of consents one of the ports that have those of this kind. */
export const consentsFrom =
  <Ports, Consent>(of: (ports: Ports) => ConsentsOf<Consent>) =>
  <Asked extends readonly unknown[], Result>(
    use: (consents: ConsentsOf<Consent>, ...asked: Asked) => Result,
  ) =>
  (ports: Ports, ...asked: Asked) =>
    use(of(ports), ...asked);

const ofAccounts = consentsFrom(accountConsents);

export const readAccountConsent = ofAccounts(readConsent<AccountConsent>);
export const readConsentAuthorisation = ofAccounts(readAuthorisation<AccountConsent>);
export const consentOfSameRequest = ofAccounts(ofSameRequest<AccountConsent>);
export const deleteAccountConsent = ofAccounts(deleteConsent<AccountConsent>);
export const revokeAccountConsent = ofAccounts(revokeConsent<AccountConsent>);
export const currentConsent = ofAccounts(settledConsent<AccountConsent>);
export const openConsent = ofAccounts(openedConsent<AccountConsent>);

/** What consents of every kind have. */
export type AnyConsent = Pick<
  AccountConsent,
  "id" | "tppId" | "authorisationId" | "createdAt" | "psuId"
> & { readonly status: AnyConsentStatus };

/**
 * Keeps the consent, not yet authorised, and starts its authorisation implicitly. The TPP becomes
 * known to the OAuth server by this call: there is no other registration. The same request again creates
 * nothing and yields the same consent. Rejects with 400 FORMAT_ERROR when the request id has been used
 * for another one, and with 429 ACCESS_EXCEEDED when too many of the TPP's authorisations are open.
 */
export async function keepConsent<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  register: { readonly tppRegister: TppRegister },
  { consent, asked }: { readonly consent: Consent; readonly asked: CreationRequest },
): Promise<Consent> {
  await upsertTpp(register, asked);
  const { id: resourceId, authorisationId: id } = consent;
  const { kind } = consents;
  const authorisation = startedAuthorisation(consents, { id, kind, resourceId }, asked);
  const { openPerTppMax } = consents.profile.sca;
  const start = await consents.store.insert(consent, authorisation, openPerTppMax);
  if (start === "kept") return consent;
  if (start === "full") throw tooManyOpen(consents);
  const first = await ofSameRequest(consents, asked);
  if (first === undefined) throw usedRequestId();
  return first;
}

type ConsentOfTpp = { readonly id: ConsentId; readonly tppId: TppId; readonly now: Date };

/** The same words for an unknown consent and another TPP's: nobody learns which ids exist. */
export const CONSENT_UNKNOWN = "this consent is not known";

/** The TPP's own consent, in whatever state. Rejects with 403 CONSENT_UNKNOWN. */
export async function readConsent<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  { id, tppId, now }: ConsentOfTpp,
): Promise<Consent> {
  const consent = await consents.store.findOfTpp(id, tppId);
  if (consent === undefined) throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN);
  return settledConsent(consents, consent, now);
}

export async function readAuthorisation<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  asked: ConsentOfTpp & { readonly authorisationId: AuthorisationId },
): Promise<Authorisation> {
  return authorisationOf(consents, await readConsent(consents, asked), asked.authorisationId);
}

/** What the very same request has created, while its PSU has not decided on it. */
export async function ofSameRequest<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  asked: CreationRequest,
): Promise<Consent | undefined> {
  const started = await startedBefore(consents, consents.kind, asked);
  const consent = started && (await consents.store.findByAuthorisation(started.id));
  const current = consent && (await settledConsent(consents, consent, asked.now));
  return current?.status === "received" ? current : undefined;
}

/**
 * The TPP ends its consent: tokens die with it and an open authorisation fails. One that has ended
 * already stays as it ended, and the answer is the same.
 */
export async function deleteConsent<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  asked: ConsentOfTpp & { readonly requestId: RequestId },
): Promise<void> {
  const { id, status }: AnyConsent = await readConsent(consents, asked);
  if (consentIsFinal(status)) return;
  const { requestId } = asked;
  const end = { consentId: id, to: "terminatedByTpp", at: asked.now, requestId } as const;
  const ended = await endConsent(consents, { ...end, from: status });
  // The PSU's yes may have come in between: then the consent is valid now, and is ended from there.
  if (!ended && status === "received") await endConsent(consents, { ...end, from: "valid" });
}

type ConsentRevocation = {
  readonly id: ConsentId;
  readonly psuId: PsuId;
  readonly now: Date;
};

/**
 * The PSU revokes the consent in the bank's own channel, and with it its tokens. False when it is not valid,
 * or not this PSU's: only the PSU who authorised a consent may revoke it.
 */
export async function revokeConsent<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  { id, psuId, now }: ConsentRevocation,
): Promise<boolean> {
  const found = await consents.store.find(id);
  if (found === undefined || found.psuId !== psuId) return false;
  // A consent that has expired is not revoked any more.
  await settledConsent(consents, found, now);
  return endConsent(consents, { consentId: id, from: "valid", to: "revokedByPsu", at: now });
}

/** The consent as it is now: one whose time is over is ended here, so that no answer depends on whether the sweep has run. */
export async function settledConsent<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  consent: Consent,
  now: Date,
): Promise<Consent> {
  const { id, authorisationId } = consent;
  if (windowMayBeOver(consents.profile, consent, now)) {
    await failAuthorisation(consents, { id: authorisationId, because: "window-over", now });
  } else if (consent.status === "valid" && consents.hasRunOut(consent, now, consents.profile)) {
    await endConsent(consents, { consentId: id, from: "valid", to: "expired", at: now });
  } else {
    return consent;
  }
  // Another request may have decided it first: the store has the last word.
  return (await consents.store.find(id)) ?? consent;
}

/**
 * The consent if it may be used now. Rejects with 401: CONSENT_EXPIRED when its time has run out or a newer one has
 * replaced it, CONSENT_INVALID when it was never authorised or has been ended.
 */
export async function openedConsent<Consent extends AnyConsent>(
  consents: ConsentsOf<Consent>,
  consent: Consent,
  now: Date,
): Promise<Consent> {
  const current = await settledConsent(consents, consent, now);
  const { status }: AnyConsent = current;
  if (status === "valid") return current;
  if (status !== "expired") throw reject("CONSENT_INVALID", consents.notOpenBecause[status]);
  const isOver = consents.hasRunOut(current, now, consents.profile);
  throw reject("CONSENT_EXPIRED", isOver ? consents.notOpenBecause.expired : REPLACED);
}

function endConsent<Consent>(
  { store, profile }: ConsentsOf<Consent>,
  transition: Omit<ConsentTransition, "on">,
): Promise<boolean> {
  return store.end({ ...transition, on: dayIn(profile.timeZone, transition.at) });
}

/** If its PSU was given more time, nothing fails. */
function windowMayBeOver(
  { sca }: AspspProfile,
  { status, createdAt }: Pick<AnyConsent, "status" | "createdAt">,
  now: Date,
): boolean {
  return status === "received" && now >= addTime(createdAt, sca.windowMinutes, "minute");
}

function hasRunOut(consent: AccountConsent, now: Date, profile: AspspProfile): boolean {
  const { authorisedAt } = consent;
  return authorisedAt !== undefined && now >= endOfConsent(consent, authorisedAt, profile);
}

/** The standard's way to ask for as long as possible. */
const AS_LONG_AS_POSSIBLE = "9999-12-31" as IsoDate;

export type PeriodAsked = { readonly recurringIndicator: boolean; readonly validUntil: IsoDate };

/** Why this `validUntil` cannot be, in words for the TPP's developer; undefined when it can. */
export function validUntilFault(
  { recurringIndicator, validUntil }: PeriodAsked,
  today: IsoDate,
  { accountConsent }: AspspProfile,
): string | undefined {
  if (validUntil === AS_LONG_AS_POSSIBLE) return undefined;
  if (validUntil < today) return `validUntil ${validUntil} is in the past, today is ${today}`;
  if (!recurringIndicator) {
    return validUntil === today ? undefined : `a one-off consent is valid today only (${today})`;
  }
  const last = addDays(today, accountConsent.recurringDaysMax);
  return validUntil <= last
    ? undefined
    : `validUntil is at most ${accountConsent.recurringDaysMax} days ahead (${last})`;
}

/** The day that is kept: `9999-12-31` becomes the last one possible. */
export function settleValidUntil(
  { recurringIndicator, validUntil }: PeriodAsked,
  today: IsoDate,
  { accountConsent }: AspspProfile,
): { readonly validUntil: IsoDate; readonly shortened: boolean } {
  if (validUntil !== AS_LONG_AS_POSSIBLE) return { validUntil, shortened: false };
  const last = recurringIndicator ? addDays(today, accountConsent.recurringDaysMax) : today;
  return { validUntil: last, shortened: true };
}

/**
 * The first instant at which an authorised consent has ended. Recurring: the end of the local day
 * `validUntil`, or 180 days after SCA (RTS art. 10a), whichever is first; one-off: ten minutes.
 */
export function endOfConsent(
  consent: Pick<AccountConsent, "recurringIndicator" | "validUntil">,
  authorisedAt: Date,
  { accountConsent, timeZone }: AspspProfile,
): Date {
  if (!consent.recurringIndicator)
    return addTime(authorisedAt, accountConsent.oneOffMinutes, "minute");
  const endOfPeriod = endOfDayIn(timeZone, consent.validUntil);
  const scaAgain = addTime(authorisedAt, accountConsent.recurringDaysMax, "day");
  return new Date(Math.min(endOfPeriod.getTime(), scaAgain.getTime()));
}

/** Were it authorised now, it would grant nothing: its last day is over. */
export function isPastLastDay(
  consent: Pick<AccountConsent, "recurringIndicator" | "validUntil">,
  now: Date,
  profile: AspspProfile,
): boolean {
  return now >= endOfConsent(consent, now, profile);
}

export type OfferedAccount = {
  readonly account: BankAccount;
  readonly preselected: boolean;
  readonly rights: AccessRights;
};

/**
 * The accounts a PSU may share: all own payment accounts, whatever the TPP asked for. Named ones are
 * preselected, or those the PSU has chosen already. Blocked accounts are offered too: a TPP sees that they
 * are blocked, and no balance and no entry.
 */
export async function offerAccounts(
  ports: { readonly coreBank: CoreBank; readonly consents: ConsentStore },
  { authorisation, psuId }: { readonly authorisation: Authorisation; readonly psuId: PsuId },
): Promise<readonly OfferedAccount[]> {
  const consent = await ports.consents.findByAuthorisation(authorisation.id);
  if (consent === undefined) return [];
  const accounts = await ports.coreBank.accountsOf(psuId);
  return accounts.map((account) => ({
    account,
    preselected:
      authorisation.selection.length > 0
        ? authorisation.selection.includes(account.id)
        : namedIn(consent.access, account).length > 0,
    rights: rightsFor(consent.access, account),
  }));
}

/**
 * The same for the page that asks which of them: where neither the TPP has named nor the PSU has chosen any, those that the
 * PSU has shared with this TPP by the consent before are preselected, so that renewing it takes no choice again.
 */
export async function accountsToChoose(
  ports: Parameters<typeof offerAccounts>[0] & Pick<AuthorisationPorts, "authorisations">,
  { access }: Pick<AccountConsent, "access">,
  asked: { readonly authorisation: Authorisation; readonly psuId: PsuId },
): Promise<{ readonly accounts: readonly OfferedAccount[]; readonly asBefore: boolean }> {
  const offered = await offerAccounts(ports, asked);
  const { tppId, selection } = asked.authorisation;
  const isSaid = selection.length > 0 || access.named.length > 0;
  if (isSaid) return { accounts: offered, asBefore: false };
  const earlier = await ports.authorisations.earlierSelection(tppId, asked.psuId);
  const accounts = offered.map((one) => ({
    ...one,
    preselected: earlier.includes(one.account.id),
  }));
  return { accounts, asBefore: accounts.some(({ preselected }) => preselected) };
}

/** A named account gets the rights asked for it, never more; an account the PSU adds gets the union. */
export function rightsFor(access: AccessRequest, account: BankAccount): AccessRights {
  const named = namedIn(access, account);
  return named.length === 0 ? access.rights : named.map(({ rights }) => rights).reduce(unite);
}

export function unite(one: AccessRights, other: AccessRights): AccessRights {
  return {
    balances: one.balances || other.balances,
    transactions: one.transactions || other.transactions,
    ownerName: one.ownerName || other.ownerName,
  };
}

function namedIn(access: AccessRequest, account: BankAccount) {
  return access.named.filter(({ reference }) => namesAccount(reference, account));
}

/** A reference without currency means every sub-account of its IBAN. */
function namesAccount(reference: AccountReference, account: BankAccount): boolean {
  const sameCurrency = reference.currency === undefined || reference.currency === account.currency;
  return reference.iban === account.iban && sameCurrency;
}

export type AccountConsent = {
  readonly id: ConsentId;
  readonly tppId: TppId;
  readonly authorisationId: AuthorisationId;
  readonly status: ConsentStatus;
  /** The access object word for word, for the TPP's GET before the PSU has chosen. */
  readonly requestedAccess: unknown;
  readonly access: AccessRequest;
  readonly recurringIndicator: boolean;
  /** The last day, inclusive, in the bank's local days. */
  readonly validUntil: IsoDate;
  readonly frequencyPerDay: number;
  readonly createdAt: Date;
  /** The local day of the last change of status. */
  readonly lastActionDate: IsoDate;
  /** Set once the PSU has authorised it. */
  readonly psuId?: PsuId | undefined;
  readonly authorisedAt?: Date | undefined;
  /** When the TPP first read something by it. */
  readonly firstUsedAt?: Date | undefined;
  readonly grantedAccounts: readonly GrantedAccount[];
};

/** States of an account information consent and the only transitions between them; NextGenPSD2 1.3.12. */
export const consentTransitions = {
  received: ["valid", "rejected", "terminatedByTpp"],
  valid: ["expired", "revokedByPsu", "terminatedByTpp"],
  rejected: [],
  expired: [],
  revokedByPsu: [],
  terminatedByTpp: [],
} as const satisfies Record<string, readonly string[]>;

export type ConsentStatus = keyof typeof consentTransitions;

const REPLACED = "the PSU has authorised a newer consent, which has replaced this one";

export const consentNotOpenBecause: ConsentsOf<unknown>["notOpenBecause"] = {
  received: "the PSU has not authorised this consent yet",
  partiallyAuthorised: "not everybody has authorised this consent yet",
  rejected: "the PSU did not authorise this consent",
  revokedByPsu: "the PSU has revoked this consent",
  terminatedByTpp: "this consent was deleted by the TPP",
  expired: "this consent has expired; the PSU has to authorise a new one",
};

/** `partiallyAuthorised` is never entered (see `fundsConsentTransitions`). */
export type AnyConsentStatus = ConsentStatus | "partiallyAuthorised";

function nextStates(status: AnyConsentStatus): readonly AnyConsentStatus[] {
  return status === "partiallyAuthorised" ? [] : consentTransitions[status];
}

export function consentMayBecome(from: AnyConsentStatus, to: AnyConsentStatus): boolean {
  return nextStates(from).includes(to);
}

export function consentIsFinal(
  status: AnyConsentStatus,
): status is Exclude<AnyConsentStatus, "received" | "valid"> {
  return nextStates(status).length === 0;
}

/** A change of status; it takes place only if the consent is still in `from`. */
export type ConsentTransition = {
  readonly consentId: ConsentId;
  readonly from: ConsentStatus;
  readonly to: ConsentStatus;
  readonly on: IsoDate;
  readonly at: Date;
  /** Of the TPP that ends it. */
  readonly requestId?: RequestId | undefined;
};

export type ConsentStore<Consent = AccountConsent> = {
  /** The consent and its implicitly started authorisation, of which a TPP has `openMax` open at most. */
  readonly insert: (
    consent: Consent,
    authorisation: Authorisation,
    openMax: number,
  ) => Promise<Start>;
  readonly find: (id: ConsentId) => Promise<Consent | undefined>;
  /** A consent of another TPP is not found, like an unknown one. */
  readonly findOfTpp: (id: ConsentId, tppId: TppId) => Promise<Consent | undefined>;
  readonly findByAuthorisation: (id: AuthorisationId) => Promise<Consent | undefined>;
  /**
   * Ends the consent (every `to` but `valid`): its open authorisation fails and its tokens die with
   * it, all or nothing. False when it was no longer in `from`.
   */
  readonly end: (transition: ConsentTransition) => Promise<boolean>;
};
