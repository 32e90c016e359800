import type { AspspProfile } from "../aspsp-profile";
import type { AccountReference } from "../consent/access-request";
import { CONSENT_UNKNOWN } from "../consent/read-account-consent";
import type { AvailableFunds } from "../core-bank";
import type { RequestId } from "../identifiers";
import { dayIn } from "../iso-date";
import type { Currency, Money } from "../money";
import { convert, hasRate } from "../payment/exchange-rate";
import type { Ports } from "../ports";
import { type Rejection, reject } from "../rejection";
import type { FundsVerdict } from "./funds-check";
import type { FundsConsent } from "./funds-consent";
import { openFundsConsent } from "./open-funds-consent";

export type FundsRequest = {
  readonly account: AccountReference;
  readonly amount: Money;
  readonly cardNumber?: string;
};

type Asked = {
  /** As the TPP's request found it. */
  readonly consent: FundsConsent;
  readonly requestId: RequestId;
  readonly request: FundsRequest;
  readonly now: Date;
};

type FundsPorts = Pick<
  Ports,
  "coreBank" | "fundsCheck" | "fundsConsents" | "authorisations" | "profile"
>;

/**
 * Yes or no (PSD2 art. 65): nothing is reserved, and what many answers tell together is bounded. Whatever
 * is asked of a valid consent uses up one of its checks, so that no refusal is a question for free. Rejects
 * with CONSENT_UNKNOWN, CONSENT_INVALID, CONSENT_EXPIRED, NO_PIIS_ACTIVATION, CARD_INVALID,
 * ACCESS_EXCEEDED, and with FORMAT_ERROR for a currency this bank has no rate for.
 */
export async function confirmFunds(ports: FundsPorts, asked: Asked): Promise<boolean> {
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
  { consent: { id, tppId }, now }: Asked,
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
