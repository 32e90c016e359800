import type { AccountReference } from "./accounts";
import {
  AUTHORISATION_UNKNOWN,
  type Authorisation,
  type AuthorisationStore,
  type ConsentAsked,
  type Start,
  startedAuthorisation,
  startedBefore,
  tooManyOpen,
  usedRequestId,
} from "./authorisation";
import { type AspspProfile, convert, hasRate } from "./bank-profile";
import { CONSENT_UNKNOWN, type ConsentOfTpp } from "./consents";
import type { AvailableFunds, CoreBank } from "./core-bank";
import { type Rejection, reject } from "./errors";
import { type Tpp, type TppRegister, upsertTpp } from "./tpp";
import {
  type AccountId,
  type AuthorisationId,
  addTime,
  type ConsentId,
  type Currency,
  dayIn,
  endOfDayIn,
  type IsoDate,
  type Money,
  newAuthorisationId,
  newConsentId,
  type PsuId,
  type RequestId,
  type TppId,
} from "./values";

type FundsConsentCreation = ConsentAsked & {
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly request: FundsConsentRequest;
};

type CreationPorts = {
  readonly fundsConsents: FundsConsentStore;
  readonly authorisations: AuthorisationStore;
  readonly tppRegister: TppRegister;
  readonly profile: AspspProfile;
};

/**
 * Keeps the consent, not yet authorised, and starts its authorisation. Several may live beside each
 * other, one for each card. The same request again makes nothing and yields the same consent. Rejects
 * with 400 FORMAT_ERROR when the request id has been used for another one, and with 429 ACCESS_EXCEEDED
 * when too many of the TPP's authorisations are open.
 */
export async function createFundsConsent(
  ports: CreationPorts,
  asked: FundsConsentCreation,
): Promise<FundsConsent> {
  const { tpp, requestId, bodyDigest, request, wayBack, loginHint, now } = asked;
  const consent: FundsConsent = {
    ...request,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    createdAt: now,
  };
  const authorisation = startedAuthorisation(ports, {
    id: consent.authorisationId,
    kind: "PIIS",
    resourceId: consent.id,
    tppId: tpp.id,
    requestId,
    bodyDigest,
    wayBack,
    loginHint,
    createdAt: now,
  });
  await upsertTpp(ports, asked);
  const { openPerTppMax } = ports.profile.sca;
  const start = await ports.fundsConsents.insert(consent, authorisation, openPerTppMax);
  if (start === "kept") return consent;
  if (start === "full") throw tooManyOpen(ports);
  const first = await fundsConsentOfSameRequest(ports, asked);
  if (first === undefined) throw usedRequestId();
  return first;
}

type ConsentPorts = {
  readonly fundsConsents: FundsConsentStore;
  readonly authorisations: AuthorisationStore;
  readonly profile: AspspProfile;
};

/** The TPP's own consent, in whatever state. Rejects with 403 CONSENT_UNKNOWN. */
export async function readFundsConsent(
  ports: ConsentPorts,
  { id, tppId, now }: ConsentOfTpp,
): Promise<FundsConsent> {
  const consent = await ports.fundsConsents.findOfTpp(id, tppId);
  if (consent === undefined) throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN);
  return currentFundsConsent(ports, consent, now);
}

/** One authorisation of the TPP's own consent. Rejects with 404 RESOURCE_UNKNOWN when it is not this one's. */
export async function readFundsConsentAuthorisation(
  ports: ConsentPorts,
  asked: ConsentOfTpp & { readonly authorisationId: AuthorisationId },
): Promise<Authorisation> {
  const consent = await readFundsConsent(ports, asked);
  const found =
    consent.authorisationId === asked.authorisationId
      ? await ports.authorisations.find(consent.authorisationId)
      : undefined;
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", AUTHORISATION_UNKNOWN);
  return found;
}

/**
 * The TPP ends its consent: tokens die with it and an open authorisation fails. One that has ended
 * already stays as it ended, and the answer is the same.
 */
export async function deleteFundsConsent(ports: ConsentPorts, asked: ConsentOfTpp): Promise<void> {
  const consent = await readFundsConsent(ports, asked);
  if (fundsConsentIsFinal(consent.status)) return;
  const end = { consentId: consent.id, to: "terminatedByTpp", at: asked.now } as const;
  const ended = await ports.fundsConsents.end({ ...end, from: consent.status });
  // The PSU's yes may have come in between: then the consent is valid now, and is ended from there.
  if (!ended && consent.status === "received") {
    await ports.fundsConsents.end({ ...end, from: "valid" });
  }
}

/** What the very same request has created, while its PSU has not decided on it. */
export async function fundsConsentOfSameRequest(
  ports: ConsentPorts,
  asked: ConsentAsked,
): Promise<FundsConsent | undefined> {
  const started = await startedBefore(ports, "PIIS", asked);
  const consent = started && (await ports.fundsConsents.findByAuthorisation(started.id));
  const current = consent && (await currentFundsConsent(ports, consent, asked.now));
  return current?.status === "received" ? current : undefined;
}

type FundsConsentRevocation = { readonly id: ConsentId; readonly psuId: PsuId; readonly now: Date };

/**
 * The PSU takes back the consent in the bank's own channel; its tokens die with it. False when it is
 * not valid, or not this PSU's: only who has authorised a consent may revoke it.
 */
export async function revokeFundsConsent(
  ports: ConsentPorts,
  { id, psuId, now }: FundsConsentRevocation,
): Promise<boolean> {
  const found = await ports.fundsConsents.find(id);
  if (found === undefined || found.psuId !== psuId) return false;
  // What time has ended is not revoked any more.
  await currentFundsConsent(ports, found, now);
  return ports.fundsConsents.end({ consentId: id, from: "valid", to: "revokedByPsu", at: now });
}

type SettlingPorts = {
  readonly fundsConsents: FundsConsentStore;
  readonly authorisations: AuthorisationStore;
  readonly profile: AspspProfile;
};

/**
 * The consent as it stands now. It ends with the card, if at all: the 180 days are a rule for account
 * information. One whose end has come is settled on the way.
 */
export async function currentFundsConsent(
  ports: SettlingPorts,
  consent: FundsConsent,
  now: Date,
): Promise<FundsConsent> {
  const { status, authorisationId: id } = consent;
  const windowEnd = addTime(consent.createdAt, ports.profile.sca.windowMinutes, "minute");
  if (status === "received" && now >= windowEnd) {
    const on = dayIn(ports.profile.timeZone, now);
    // If its PSU was given more time, nothing fails.
    await ports.authorisations.fail({ id, because: "window-over", on, at: now });
  } else if (status === "valid" && hasExpired(consent, now, ports.profile)) {
    const end = { consentId: consent.id, from: "valid", to: "expired", at: now } as const;
    await ports.fundsConsents.end(end);
  } else {
    return consent;
  }
  // Another request may have decided it first: the store has the last word.
  return (await ports.fundsConsents.find(consent.id)) ?? consent;
}

export function hasExpired(
  { cardExpiryDate }: Pick<FundsConsent, "cardExpiryDate">,
  now: Date,
  { timeZone }: AspspProfile,
): boolean {
  return cardExpiryDate !== undefined && cardExpiryDate < dayIn(timeZone, now);
}

/** No day comes after it; it says that the card does not expire. */
const LAST_OF_ALL_DAYS = "9999-12-31";

/** The end of the card's last day; undefined when the TPP has named none. */
export function endOfFundsConsent(
  { cardExpiryDate }: Pick<FundsConsent, "cardExpiryDate">,
  { timeZone }: AspspProfile,
): Date | undefined {
  if (cardExpiryDate === undefined || cardExpiryDate === LAST_OF_ALL_DAYS) return undefined;
  return endOfDayIn(timeZone, cardExpiryDate);
}

export type FundsRequest = {
  readonly account: AccountReference;
  readonly amount: Money;
  readonly cardNumber?: string;
};

type FundsConfirmationAsked = {
  /** As the TPP's request found it. */
  readonly consent: FundsConsent;
  readonly requestId: RequestId;
  readonly request: FundsRequest;
  readonly now: Date;
};

type FundsPorts = {
  readonly coreBank: CoreBank;
  readonly fundsCheck: FundsCheck;
  readonly fundsConsents: FundsConsentStore;
  readonly authorisations: AuthorisationStore;
  readonly profile: AspspProfile;
};

/**
 * Yes or no (PSD2 art. 65): nothing is reserved, and what many answers tell together is bounded. Whatever
 * is asked of a valid consent uses up one of its checks, so that no refusal is a question for free. Rejects
 * with CONSENT_UNKNOWN, CONSENT_INVALID, CONSENT_EXPIRED, NO_PIIS_ACTIVATION, CARD_INVALID,
 * ACCESS_EXCEEDED, and with FORMAT_ERROR for a currency this bank has no rate for.
 */
export async function confirmFunds(
  ports: FundsPorts,
  asked: FundsConfirmationAsked,
): Promise<boolean> {
  const { requestId, request, now } = asked;
  const { fundsConfirmation, timeZone } = ports.profile;
  const consent = await openFundsConsent(ports, asked.consent, now);
  const { id: consentId, tppId, accountId, psuId } = consent;
  if (accountId === undefined || psuId === undefined) throw new Error("a valid consent has both");

  const funds = await ports.coreBank.availableFunds(accountId, psuId);
  const mismatch = mismatchOf(request, consent, funds);
  const amount = amountIn(funds?.currency, request.amount, ports.profile);
  const available = funds?.status === "enabled" ? funds.available : undefined;
  const isConvertible = available === undefined || amount !== undefined;
  const verdict = await ports.fundsCheck.take({
    ...{ consentId, tppId, accountId, requestId, now, ...fundsConfirmation },
    today: dayIn(timeZone, now),
    answered: mismatch === undefined && isConvertible,
    compared:
      available && amount
        ? { amountMinor: amount.minorUnits, availableMinor: available.minorUnits }
        : undefined,
  });
  if (verdict === undefined) throw await endedSince(ports, asked);
  if (mismatch !== undefined) throw mismatch;
  checkAdmitted(verdict);
  checkNoSearch(verdict);
  if (available === undefined) return false;
  if (amount === undefined) {
    const text = `${request.amount.currency} has no rate here`;
    throw reject("FORMAT_ERROR", text, { path: "instructedAmount.currency" });
  }
  return amount.minorUnits <= available.minorUnits;
}

/** In its own currency, or by its rate in one that has a rate. */
function amountIn(
  to: Currency | undefined,
  amount: Money,
  profile: AspspProfile,
): Money | undefined {
  if (to === undefined || to === amount.currency) return amount;
  return hasRate(to, profile) && hasRate(amount.currency, profile)
    ? convert(amount, to, profile)
    : undefined;
}

/**
 * Another account or card than the consent's. Where it names no currency, it is for the default sub-account
 * and for no other; without a card number it is for the account, whichever card of the TPP's is held up.
 */
function mismatchOf(
  { account: { iban, currency }, cardNumber }: FundsRequest,
  { account: consented, cardNumber: card }: FundsConsent,
  funds: AvailableFunds | undefined,
): Rejection | undefined {
  const open = consented.currency ?? funds?.currency ?? currency;
  if (iban !== consented.iban || (currency ?? open) !== open) {
    return reject("NO_PIIS_ACTIVATION", "the consent is for another account", { path: "account" });
  }
  if (cardNumber === undefined || card === undefined || cardNumber === card) return undefined;
  return reject("CARD_INVALID", "the consent is for another card", { path: "cardNumber" });
}

/** Why a consent that was valid as the request came is so no more. */
async function endedSince(
  ports: FundsPorts,
  { consent: { id, tppId }, now }: FundsConfirmationAsked,
): Promise<Rejection> {
  const found = await ports.fundsConsents.findOfTpp(id, tppId);
  if (found !== undefined) await openFundsConsent(ports, found, now);
  return reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
}

function checkAdmitted({ admitted, retryAfterSeconds }: FundsVerdict): void {
  if (admitted) return;
  throw reject(
    "ACCESS_EXCEEDED",
    "this consent has used up its checks; it gets them back in time",
    {
      headers: { "retry-after": String(Math.max(1, retryAfterSeconds)) },
    },
  );
}

function checkNoSearch({ searchRetrySeconds }: FundsVerdict): void {
  if (searchRetrySeconds === undefined) return;
  const text =
    "the answer would help to find the balance: too many amounts were asked of this account, or one too close to this";
  const wait = Math.max(1, Math.ceil(searchRetrySeconds));
  throw reject("ACCESS_EXCEEDED", text, { headers: { "retry-after": String(wait) } });
}

/**
 * The consent if it answers for funds now. Rejects with 401: CONSENT_EXPIRED when its card has run
 * out, CONSENT_INVALID when it was never authorised or has been ended.
 */
export async function openFundsConsent(
  ports: ConsentPorts,
  consent: FundsConsent,
  now: Date,
): Promise<FundsConsent> {
  const current = await currentFundsConsent(ports, consent, now);
  if (current.status === "valid") return current;
  throw endedAs(current.status);
}

function endedAs(status: Exclude<FundsConsentStatus, "valid">): Rejection {
  return reject(
    status === "expired" ? "CONSENT_EXPIRED" : "CONSENT_INVALID",
    notOpenBecause[status],
  );
}

const notOpenBecause: Readonly<Record<Exclude<FundsConsentStatus, "valid">, string>> = {
  received: "the PSU has not authorised this consent yet",
  partiallyAuthorised: "not everybody has authorised this consent yet",
  rejected: "the PSU did not authorise this consent",
  revokedByPsu: "the PSU has revoked this consent",
  terminatedByTpp: "this consent was deleted by the TPP",
  expired: "this consent has expired with its card; the PSU has to authorise a new one",
};

/** See `fundsConfirmation.search` of the profile. */
export type FundsSearchLimits = {
  readonly amountsMax: number;
  readonly amountsHours: number;
  readonly closestPercent: number;
  readonly closeAmountsMax: number;
  readonly boundsKeptDays: number;
};

export type FundsQuestion = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly accountId: AccountId;
  /** For the audit log, where the question is part of a search. */
  readonly requestId: RequestId;
  readonly now: Date;
  /** The bank's local day: a card counts to the end of its last one. */
  readonly today: IsoDate;
  /** Checks the consent may save up, and how long it takes to get one back. */
  readonly checksSavedMax: number;
  readonly secondsPerCheck: number;
  readonly search: FundsSearchLimits;
  /** Whether there will be an answer if a check is left: only then the check is in the access history. */
  readonly answered: boolean;
  /** What the answer depends on, in minor units of the account's currency; absent where it is no in any case. */
  readonly compared?: { readonly amountMinor: bigint; readonly availableMinor: bigint } | undefined;
};

export type FundsVerdict = {
  /** False when the consent has used up its checks. */
  readonly admitted: boolean;
  /** Seconds until the next check is admitted; 0 when there is one left. */
  readonly retryAfterSeconds: number;
  /** Set when the answer would help to find the balance: seconds until there is one at the latest. */
  readonly searchRetrySeconds?: number | undefined;
};

/**
 * Takes one check from those a consent has saved up and notes what its answer tells of the funds, in one
 * statement. Undefined, and nothing is counted, when the consent is not valid or its card has run out.
 */
export type FundsCheck = {
  readonly take: (question: FundsQuestion) => Promise<FundsVerdict | undefined>;
};

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

/**
 * States of a confirmation of funds consent and the only ways between them; consent guidelines 2.0.
 * `partiallyAuthorised` is one of the standard's, and is never entered: nobody has to authorise twice.
 */
export const fundsConsentTransitions = {
  received: ["valid", "rejected", "terminatedByTpp"],
  valid: ["expired", "revokedByPsu", "terminatedByTpp"],
  rejected: [],
  partiallyAuthorised: [],
  expired: [],
  revokedByPsu: [],
  terminatedByTpp: [],
} as const satisfies Record<string, readonly string[]>;

export type FundsConsentStatus = keyof typeof fundsConsentTransitions;

export function fundsConsentMayBecome(from: FundsConsentStatus, to: FundsConsentStatus): boolean {
  return (fundsConsentTransitions[from] as readonly FundsConsentStatus[]).includes(to);
}

export function fundsConsentIsFinal(status: FundsConsentStatus): boolean {
  return fundsConsentTransitions[status].length === 0;
}

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
