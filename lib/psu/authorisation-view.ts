import type { AccessRights, BankAccount, Debit } from "@/lib/domain/accounts";
import {
  type AccountConsent,
  type OfferedAccount,
  offerAccounts,
  unite,
} from "@/lib/domain/consents";
import type { PaymentOrder } from "@/lib/domain/payment-order";
import { fixedAccount } from "@/lib/domain/sca";
import { addTime, type IsoDate, type Money } from "@/lib/domain/values";
import { type Frame, frameOf } from "./frame";
import { finishPath, refusalOf } from "./leave";
import { readOutcome } from "./outcome";
import { type EndPage, endPageFor, stepFor } from "./pages";
import { creditorOnPage } from "./texts/formats";
import type { Visit } from "./visit";

export type LoginView = Frame & {
  readonly page: "login" | "login-again" | "not-yours";
  readonly userId?: string | undefined;
};
export type AccountsView = Frame & {
  readonly page: "accounts";
  readonly accounts: readonly OfferedAccount[];
  readonly rights: AccessRights;
};
/** Pages on which the code is entered, with all that it stands for. */
export type ConfirmView = Frame & { readonly code: CodePanel };
export type SummaryView = ConfirmView & {
  readonly page: "summary";
  readonly summary: ConsentSummary;
};
export type PaymentView = ConfirmView & {
  readonly page: "payment";
  readonly payment: PaymentTerms;
};
export type FundsView = ConfirmView & { readonly page: "funds"; readonly funds: FundsTerms };
/** A fault of ours; without a frame when not even that could be made. */
export type FaultView = { readonly page: "fault"; readonly frame?: Frame | undefined };
export type EndView = Frame & { readonly page: EndPage; readonly blockMinutes: number };

/** What a page shows, as plain values: no page asks anybody anything. */
export type View =
  | LoginView
  | AccountsView
  | SummaryView
  | PaymentView
  | FundsView
  | EndView
  | FaultView
  | { readonly page: "continue"; readonly location: string }
  | { readonly page: "unknown" };

type Asked = { readonly again?: "accounts" | undefined };

/** The one question that fits the state, with all it needs. */
export async function viewOf(visit: Visit, { again }: Asked = {}): Promise<View> {
  const { authorisation, session } = visit;
  const { kind, scaStatus } = authorisation;
  const refused = (await refusalOf(visit)) !== undefined;
  const step = stepFor({ kind, scaStatus, session: session.state, refused, again });
  switch (step) {
    case "login":
    case "login-again":
    case "not-yours":
      return loginView(visit, step);
    case "accounts":
      return accountsView(visit);
    case "summary":
      return summaryView(visit);
    case "payment":
      return paymentView(visit);
    case "funds":
      return fundsView(visit);
    case "continue":
      return continuedView(visit);
    case "already-confirmed":
      return endAt(visit, step);
    case "ended":
      return endView(visit);
    case "unknown":
      return { page: "unknown" };
  }
}

async function loginView(visit: Visit, page: LoginView["page"]): Promise<View> {
  const outcome = await outcomeFor(visit, page);
  const hint = page === "login" ? visit.authorisation.loginHint : undefined;
  return { ...(await frameOf(visit)), page, outcome, userId: outcome?.userId ?? hint };
}

async function accountsView(visit: Visit): Promise<View> {
  const { house, authorisation } = visit;
  const { psuId } = authorisation;
  const consent = await house.consents.findByAuthorisation(authorisation.id);
  if (psuId === undefined || consent === undefined) return { page: "unknown" };
  const accounts = await offerAccounts(house, { authorisation, psuId });
  if (accounts.length === 0) return endAt(visit, "nothing-to-share");
  const outcome = await outcomeFor(visit, "accounts");
  const { rights } = consent.access;
  return { ...(await frameOf(visit)), page: "accounts", outcome, accounts, rights };
}

async function summaryView(visit: Visit): Promise<View> {
  const summary = await summarise(visit);
  if (summary === undefined) return { page: "unknown" };
  return { ...(await confirmViewOf(visit, "summary")), page: "summary", summary };
}

async function paymentView(visit: Visit): Promise<View> {
  const payment = await paymentTerms(visit);
  if (payment === undefined) return endAt(visit, "account-gone");
  return { ...(await confirmViewOf(visit, "payment")), page: "payment", payment };
}

async function fundsView(visit: Visit): Promise<View> {
  const funds = await fundsTerms(visit);
  if (funds === undefined) return endAt(visit, "account-gone");
  return { ...(await confirmViewOf(visit, "funds")), page: "funds", funds };
}

async function confirmViewOf(visit: Visit, page: "summary" | "payment" | "funds") {
  const outcome = await outcomeFor(visit, page);
  return { ...(await frameOf(visit)), outcome, code: await codePanelOf(visit) };
}

/** Since the PSU's yes the TPP may have withdrawn it, the PSU revoked it, or its time run out. */
async function continuedView(visit: Visit): Promise<View> {
  const location = await finishPath(visit);
  return location === undefined ? endAt(visit, "no-longer-valid") : { page: "continue", location };
}

async function endView(visit: Visit): Promise<View> {
  const { house, authorisation, now } = visit;
  const { profile } = house;
  const refusal = await refusalOf(visit);
  const consent = await house.consents.findByAuthorisation(authorisation.id);
  return endAt(visit, endPageFor({ authorisation, refusal, consent, profile, now }));
}

async function endAt(visit: Visit, page: EndPage): Promise<EndView> {
  const { blockMinutes } = visit.house.profile.sca;
  return { ...(await frameOf(visit)), page, blockMinutes };
}

function outcomeFor(visit: Visit, page: Parameters<typeof readOutcome>[2]) {
  const where = { uid: visit.interaction.uid, config: visit.house.config };
  return readOutcome(where, visit.cookieHeader, page);
}

/** The code that is asked for on the page that shows all it stands for. */
type CodePanel = {
  readonly digits: number;
  /** Absent when none has been sent. */
  readonly sentAt?: Date | undefined;
  readonly expired: boolean;
  readonly newCodePossible: boolean;
  /** The PSU has one, and may use it instead. */
  readonly passkey: boolean;
  /** The sandbox's phone belongs to this user ID. */
  readonly phoneOf?: string | undefined;
};

async function codePanelOf({ house, authorisation, now }: Visit): Promise<CodePanel> {
  const { psuId, challenge, codesSent } = authorisation;
  const { codeDigits, codeMinutes, codesSentMax } = house.profile.sca;
  const { SANDBOX, SMS_GATEWAY_URL } = house.config;
  // With a gateway the texts go there, and the sandbox's phone stays silent.
  const shown = SANDBOX && SMS_GATEWAY_URL === undefined && psuId !== undefined;
  const psu = shown ? await house.psuDirectory.find(psuId) : undefined;
  return {
    digits: codeDigits,
    sentAt: challenge && addTime(challenge.expiresAt, -codeMinutes, "minute"),
    expired: challenge !== undefined && now >= challenge.expiresAt,
    newCodePossible: codesSent < codesSentMax,
    passkey: psuId !== undefined && (await house.passkeys.ofPsu(psuId)).length > 0,
    phoneOf: psu?.userId,
  };
}

/** What the PSU is about to agree to, read from the rows that the code is bound to. */
type ConsentSummary = {
  readonly accounts: readonly OfferedAccount[];
  /** All that may be read of at least one of the accounts. */
  readonly rights: AccessRights;
  readonly consent: Pick<AccountConsent, "recurringIndicator" | "validUntil" | "frequencyPerDay">;
  readonly oneOffMinutes: number;
  readonly historyDays: number;
  readonly unlimitedHistoryMinutes: number;
};

/** Undefined when there is nothing to sum up. */
async function summarise(visit: Visit): Promise<ConsentSummary | undefined> {
  const { house, authorisation } = visit;
  const { id, psuId, selection } = authorisation;
  const { oneOffMinutes, historyDays, unlimitedHistoryMinutes } = house.profile.accountConsent;
  const consent = await house.consents.findByAuthorisation(id);
  if (psuId === undefined || consent === undefined) return undefined;
  const offered = await offerAccounts(house, { authorisation, psuId });
  const accounts = offered.filter(({ account }) => selection.includes(account.id));
  return {
    accounts,
    rights: accounts.map(({ rights }) => rights).reduce(unite, NOTHING),
    consent,
    oneOffMinutes,
    historyDays,
    unlimitedHistoryMinutes,
  };
}

const NOTHING: AccessRights = { balances: false, transactions: false, ownerName: false };

/** What the PSU is about to pay, read from the rows that the code is bound to (RTS art. 5(1)(a)). */
type PaymentTerms = {
  readonly order: PaymentOrder;
  readonly account: BankAccount;
  /** In the account's currency. */
  readonly debit: Debit;
  /** In the tariff's currency. */
  readonly fee: Money;
};

/** Undefined when the debtor account is none of the PSU's any more. */
async function paymentTerms({
  house,
  authorisation,
  language,
  now,
}: Visit): Promise<PaymentTerms | undefined> {
  const { id, psuId: customerId } = authorisation;
  const payment = await house.payments.findByAuthorisation(id);
  if (payment === undefined || customerId === undefined) return undefined;
  const { order } = payment;
  const quote = await house.coreBank.quotePayment({ customerId, order, now });
  if (quote === undefined) return undefined;
  const { account, debit, fee } = quote;
  return {
    order: { ...order, creditor: creditorOnPage(order.creditor, language) },
    account,
    debit,
    fee,
  };
}

/** What a card's issuer may ask about, read from the rows that the code is bound to. */
type FundsTerms = {
  readonly account: BankAccount;
  /** The last four digits: enough to know one's card by, too few to pay with it. */
  readonly cardEnding?: string | undefined;
  readonly cardInformation?: string | undefined;
  readonly registrationInformation?: string | undefined;
  readonly cardExpiryDate?: IsoDate | undefined;
};

/** Undefined when the account is none of the PSU's any more. */
async function fundsTerms({ house, authorisation }: Visit): Promise<FundsTerms | undefined> {
  const consent = await house.fundsConsents.findByAuthorisation(authorisation.id);
  const account = await fixedAccount(house, authorisation);
  if (consent === undefined || account === undefined) return undefined;
  const { cardNumber, cardInformation, registrationInformation, cardExpiryDate } = consent;
  return {
    account,
    cardEnding: cardNumber?.match(/\d{4}(?=\D*$)/)?.[0],
    cardInformation,
    registrationInformation,
    cardExpiryDate,
  };
}
