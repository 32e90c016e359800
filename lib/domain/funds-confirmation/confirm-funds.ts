import type { AspspProfile } from "../aspsp-profile";
import type { AccountReference } from "../consent/access-request";
import { CONSENT_UNKNOWN } from "../consent/read-account-consent";
import type { ConsentId, RequestId, TppId } from "../identifiers";
import { dayIn } from "../iso-date";
import type { Currency, Money } from "../money";
import { convert, hasRate } from "../payment/exchange-rate";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { FundsAsked, FundsLook } from "./funds-check";
import { openFundsConsent } from "./open-funds-consent";

export type FundsRequest = {
  readonly account: AccountReference;
  readonly amount: Money;
  readonly cardNumber?: string;
};

type Asked = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly requestId: RequestId;
  readonly request: FundsRequest;
  readonly now: Date;
};

type FundsPorts = Pick<Ports, "fundsCheck" | "fundsConsents" | "authorisations" | "profile">;

/**
 * Yes or no (PSD2 art. 65): nothing is reserved, and what many answers tell together is bounded. Whatever
 * is asked of a valid consent uses up one of its checks, so that no refusal is a question for free. Rejects
 * with CONSENT_UNKNOWN, CONSENT_INVALID, CONSENT_EXPIRED, NO_PIIS_ACTIVATION, CARD_INVALID,
 * ACCESS_EXCEEDED, and with FORMAT_ERROR for a currency this bank has no rate for.
 */
export async function confirmFunds(
  ports: FundsPorts,
  { consentId, tppId, requestId, request, now }: Asked,
): Promise<boolean> {
  const { fundsConfirmation, timeZone } = ports.profile;
  const asked = fundsAsked(request, ports.profile);
  const look = await ports.fundsCheck.look({
    consentId,
    tppId,
    requestId,
    now,
    today: dayIn(timeZone, now),
    asked,
    ...fundsConfirmation,
  });
  if (look === undefined) {
    throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
  }
  await openFundsConsent(ports, look.consent, now);
  checkAccount(request, look);
  checkCard(request, look);
  checkAdmitted(look);
  checkNoSearch(look);
  return isAvailable(asked, look, request.amount.currency);
}

/** In its own currency, or by its rate in any that has one. */
function fundsAsked(
  { account, amount, cardNumber }: FundsRequest,
  profile: AspspProfile,
): FundsAsked {
  const { iban, currency } = account;
  const others = Object.keys(profile.ratesPerEuro) as Currency[];
  const amounts = hasRate(amount.currency, profile)
    ? others.map((to) => convert(amount, to, profile))
    : [amount];
  return { iban, currency, cardNumber, amounts };
}

/** Where the consent names no currency, it is for the default sub-account and for no other. */
function checkAccount({ account: { iban, currency } }: FundsRequest, look: FundsLook): void {
  const consented = look.consent.account;
  const open = consented.currency ?? look.account?.currency ?? currency;
  if (iban === consented.iban && (currency ?? open) === open) return;
  throw reject("NO_PIIS_ACTIVATION", "the consent is for another account", { path: "account" });
}

/** A consent without a card number is for the account, whichever card of the TPP's is held up. */
function checkCard({ cardNumber }: FundsRequest, { consent }: FundsLook): void {
  if (cardNumber === undefined || consent.cardNumber === undefined) return;
  if (cardNumber === consent.cardNumber) return;
  throw reject("CARD_INVALID", "the consent is for another card", { path: "cardNumber" });
}

function checkAdmitted({ admitted, retryAfterSeconds }: FundsLook): void {
  if (admitted) return;
  throw reject(
    "ACCESS_EXCEEDED",
    "this consent has used up its checks; it gets them back in time",
    {
      headers: { "retry-after": String(Math.max(1, retryAfterSeconds)) },
    },
  );
}

function checkNoSearch({ searchRetrySeconds }: FundsLook): void {
  if (searchRetrySeconds === undefined) return;
  const text =
    "the answer would help to find the balance: too many amounts were asked of this account, or one too close to this";
  const wait = Math.max(1, Math.ceil(searchRetrySeconds));
  throw reject("ACCESS_EXCEEDED", text, { headers: { "retry-after": String(wait) } });
}

/** An account that is blocked or gone has nothing available, however much is on it. */
function isAvailable({ amounts }: FundsAsked, { account }: FundsLook, from: Currency): boolean {
  if (account?.status !== "enabled") return false;
  const amount = amounts.find(({ currency }) => currency === account.currency);
  if (amount === undefined) {
    throw reject("FORMAT_ERROR", `${from} has no rate here`, { path: "instructedAmount.currency" });
  }
  return account.available !== undefined && amount.minorUnits <= account.available.minorUnits;
}
