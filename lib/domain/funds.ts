import type { AccountReference } from "./accounts";
import type { AuthorisationPorts, CreationRequest } from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import {
  CONSENT_UNKNOWN,
  type ConsentStore,
  type ConsentsOf,
  type ConsentTransition,
  consentNotOpenBecause,
  consentsFrom,
  consentTransitions,
  deleteConsent,
  keepConsent,
  ofSameRequest,
  openedConsent,
  readAuthorisation,
  readConsent,
  revokeConsent,
  settledConsent,
} from "./consents";
import { type ComparedAmount, type CoreBank, type FundsAnswer, whereBlocked } from "./core-bank";
import { type Rejection, reject } from "./errors";
import type { TppRegister } from "./tpp";
import {
  type AccountId,
  type AuthorisationId,
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

type FundsConsentCreation = CreationRequest & { readonly request: FundsConsentRequest };

export type FundsConsentPorts = AuthorisationPorts & { readonly fundsConsents: FundsConsentStore };

/** A funds consent as `keepConsent` keeps it. Several may be valid at once, one for each card. */
export function createFundsConsent(
  ports: FundsConsentPorts & { readonly tppRegister: TppRegister },
  asked: FundsConsentCreation,
): Promise<FundsConsent> {
  const { tpp, request, now } = asked;
  const consent: FundsConsent = {
    ...request,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    createdAt: now,
  };
  return keepConsent(fundsConsentsOf(ports), ports, { consent, asked });
}

/** It ends with the card, if at all: the 180 days are a rule for account information. */
function fundsConsentsOf(ports: FundsConsentPorts): ConsentsOf<FundsConsent> {
  const { authorisations, profile, fundsConsents: store } = ports;
  const expired = "this consent has expired with its card; the PSU has to authorise a new one";
  const notOpenBecause = { ...consentNotOpenBecause, expired };
  return { authorisations, profile, kind: "PIIS", store, hasRunOut: hasExpired, notOpenBecause };
}

const ofFunds = consentsFrom(fundsConsentsOf);

export const readFundsConsent = ofFunds(readConsent<FundsConsent>);
export const readFundsConsentAuthorisation = ofFunds(readAuthorisation<FundsConsent>);
export const fundsConsentOfSameRequest = ofFunds(ofSameRequest<FundsConsent>);
export const deleteFundsConsent = ofFunds(deleteConsent<FundsConsent>);
export const revokeFundsConsent = ofFunds(revokeConsent<FundsConsent>);
export const currentFundsConsent = ofFunds(settledConsent<FundsConsent>);
export const openFundsConsent = ofFunds(openedConsent<FundsConsent>);

export function hasExpired(
  { cardExpiryDate }: Pick<FundsConsent, "cardExpiryDate">,
  now: Date,
  { timeZone }: AspspProfile,
): boolean {
  return cardExpiryDate !== undefined && cardExpiryDate < dayIn(timeZone, now);
}

/** No day comes after it; it says that the card does not expire. */
const LAST_OF_ALL_DAYS = "9999-12-31";

/** Undefined when the TPP has named none, or the card does not expire. */
export function lastDayOfCard({
  cardExpiryDate,
}: Pick<FundsConsent, "cardExpiryDate">): IsoDate | undefined {
  return cardExpiryDate === LAST_OF_ALL_DAYS ? undefined : cardExpiryDate;
}

/** The end of that day. */
export function endOfFundsConsent(
  consent: Pick<FundsConsent, "cardExpiryDate">,
  { timeZone }: AspspProfile,
): Date | undefined {
  const lastDay = lastDayOfCard(consent);
  return lastDay && endOfDayIn(timeZone, lastDay);
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

type FundsPorts = FundsConsentPorts & {
  readonly coreBank: CoreBank;
  readonly fundsCheck: FundsCheck;
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

  const { amount } = request;
  const amounts = [amount, ...(consent.answeredAmounts ?? [])];
  const funds = await ports.coreBank
    .checkFunds({ accountId, customerId: psuId, amounts })
    .catch(whereBlocked(undefined));
  const mismatch = mismatchOf(request, consent, funds);
  const isOpen = funds?.status === "enabled";
  const compared = isOpen ? funds.compared[0] : undefined;
  const isConvertible = !isOpen || compared !== undefined;
  const verdict = await ports.fundsCheck.take({
    ...{ consentId, tppId, accountId, requestId, now, ...fundsConfirmation },
    today: dayIn(timeZone, now),
    answered: mismatch === undefined && isConvertible,
    isFirst: consent.firstUsedAt === undefined,
    compared: compared && comparisonOf(compared, funds?.compared),
  });
  if (verdict === undefined) throw await endedSince(ports, asked);
  if (mismatch !== undefined) throw mismatch;
  checkAdmitted(verdict);
  checkNoSearch(verdict);
  if (!isOpen) return false;
  if (compared === undefined) {
    const text = `${amount.currency} has no rate here`;
    throw reject("FORMAT_ERROR", text, { path: "instructedAmount.currency" });
  }
  return compared.isCovered;
}

/** With what the core bank says now of the amounts between which the funds were known to be. */
function comparisonOf({ amount }: ComparedAmount, all: FundsAnswer["compared"] = []): Comparison {
  const ascending = (covered: boolean) =>
    all
      .flatMap((one) => (one?.isCovered === covered ? [one.amount.minorUnits] : []))
      .toSorted((one, other) => (one < other ? -1 : 1));
  return {
    amountMinor: amount.minorUnits,
    currency: amount.currency,
    coveredMinor: ascending(true).at(-1),
    lackingMinor: ascending(false)[0],
  };
}

/**
 * Another account or card than the consent's. Where it names no currency, it is for the default sub-account
 * and for no other; without a card number it is for the account, whichever card of the TPP's is held up.
 */
function mismatchOf(
  { account: { iban, currency }, cardNumber }: FundsRequest,
  { account: consented, cardNumber: card }: FundsConsent,
  funds: FundsAnswer | undefined,
): Rejection | undefined {
  const open = consented.currency ?? funds?.currency ?? currency;
  if (iban !== consented.iban || (currency ?? open) !== open) {
    return reject("NO_PIIS_ACTIVATION", "the consent is for another account", { path: "account" });
  }
  if (cardNumber === undefined || card === undefined || cardNumber === card) return undefined;
  return reject("CARD_INVALID", "the consent is for another card", { path: "cardNumber" });
}

/** Why a consent that was valid when the request arrived no longer is. */
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
  throw exceeded(
    "this consent has used up its checks; it gets them back in time",
    retryAfterSeconds,
  );
}

function checkNoSearch({ searchRetrySeconds }: FundsVerdict): void {
  if (searchRetrySeconds === undefined) return;
  const text =
    "the answer would help to find the balance: too many amounts were asked of this account, or one too close to this";
  throw exceeded(text, Math.ceil(searchRetrySeconds));
}

function exceeded(text: string, seconds: number): Rejection {
  const headers = { "retry-after": String(Math.max(1, seconds)) };
  return reject("ACCESS_EXCEEDED", text, { headers });
}

export type FundsSearchLimits = AspspProfile["fundsConfirmation"]["search"];

export type FundsQuestion = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly accountId: AccountId;
  /** For the access history, and for the event where the question is part of a search. */
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
  /** As far as the consent said when the request began, no check has been answered by it before. */
  readonly isFirst?: boolean;
  /** What the answer depends on, in minor units of the account's currency; absent where it is no in any case. */
  readonly compared?: Comparison | undefined;
};

/** In minor units of the account's currency. */
type Comparison = {
  readonly amountMinor: bigint;
  readonly currency: Currency;
  /** The highest of all compared amounts that is available, and the lowest that is not. */
  readonly coveredMinor?: bigint | undefined;
  readonly lackingMinor?: bigint | undefined;
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
  /**
   * The highest amount that a funds check of this TPP was answered yes, and the lowest that it was answered no, of the
   * account: read with the request that asks again.
   */
  readonly answeredAmounts?: readonly Money[] | undefined;
  /** Set once the PSU has authorised it. */
  readonly psuId?: PsuId | undefined;
  readonly accountId?: AccountId | undefined;
  readonly authorisedAt?: Date | undefined;
  /** When a check by it was first answered. */
  readonly firstUsedAt?: Date | undefined;
};

/**
 * States of a confirmation of funds consent and the only transitions between them; consent guidelines 2.0.
 * `partiallyAuthorised` is one of the standard's, and is never entered: nobody has to authorise twice.
 */
export const fundsConsentTransitions = {
  ...consentTransitions,
  partiallyAuthorised: [],
} as const satisfies Record<string, readonly string[]>;

export type FundsConsentStatus = keyof typeof fundsConsentTransitions;

export type FundsConsentTransition = Omit<ConsentTransition, "from" | "to" | "on"> & {
  readonly from: FundsConsentStatus;
  readonly to: FundsConsentStatus;
};

export type FundsConsentStore = Omit<ConsentStore<FundsConsent>, "end"> & {
  readonly end: (transition: FundsConsentTransition) => Promise<boolean>;
};
