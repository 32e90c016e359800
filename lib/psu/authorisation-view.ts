import type { AccessRights } from "@/lib/domain/accounts";
import type { Authorisation } from "@/lib/domain/authorisation";
import { accountsToChoose, isPastLastDay, offerAccounts, unite } from "@/lib/domain/consents";
import { linkedAccounts, linkedPayment } from "@/lib/domain/dynamic-linking";
import { lastDayOfCard } from "@/lib/domain/funds";
import { referenceOf } from "@/lib/domain/identity-provider";
import { settleBlocked } from "@/lib/domain/opt-outs";
import { fixedAccount, meansOf } from "@/lib/domain/sca";
import { addTime, sha256 } from "@/lib/domain/values";
import { type Frame, frameOf } from "./frame";
import { finishPath, refusalOf } from "./leave";
import { readOutcome } from "./outcome";
import { type EndPage, endPageFor, type QuestionPage, stepFor } from "./pages";
import { pagePath } from "./paths";
import { creditorOnPage } from "./texts/formats";
import type { Visit } from "./visit";

/** What a page shows, as plain values: no page asks anybody anything. */
export type View = Awaited<ReturnType<typeof viewOf>> | FaultView;
export type LoginView = Awaited<ReturnType<typeof loginView>>;
export type AccountsView = Extract<View, { readonly page: "accounts" }>;
/** Pages on which the code is entered, with all that it confirms. */
export type ConfirmView = Awaited<ReturnType<typeof confirmViewOf>>;
export type SummaryView = Extract<View, { readonly page: "summary" }>;
export type PaymentView = Extract<View, { readonly page: "payment" }>;
export type FundsView = Extract<View, { readonly page: "funds" }>;
export type EndView = Awaited<ReturnType<typeof endAt>>;
/** A fault of ours; without a frame when not even that could be made. */
export type FaultView = { readonly page: "fault"; readonly frame?: Frame | undefined };

type Asked = { readonly again?: "accounts" | undefined };

/** The one question that fits the state, with all it needs; none of a customer whom the bank has blocked. */
export function viewOf(visit: Visit, asked: Asked = {}) {
  return viewNow(visit, asked).catch(async (error: unknown) => {
    const { services, now } = visit;
    const authorisation = await settleBlocked(services, visit.authorisation, error, now);
    return viewNow({ ...visit, authorisation }, asked);
  });
}

async function viewNow(visit: Visit, { again }: Asked) {
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
      return UNKNOWN;
  }
}

const UNKNOWN = { page: "unknown" } as const;

async function loginView(visit: Visit, page: "login" | "login-again" | "not-yours") {
  const outcome = await outcomeFor(visit, page);
  const known = page === "login" ? visit.authorisation.loginHint : await userIdOf(visit);
  const byProvider = visit.services.config.PSU_LOGIN === "oidc";
  return { ...(await frameOf(visit)), page, outcome, userId: outcome?.userId ?? known, byProvider };
}

/** Of the PSU whose session in this browser is over, so that it need not be typed again (WCAG 3.3.7). */
async function userIdOf({ services, authorisation, session }: Visit): Promise<string | undefined> {
  const { psuId } = authorisation;
  if (session.state !== "ended" || psuId === undefined) return undefined;
  return (await services.psuDirectory.find(psuId))?.userId;
}

async function accountsView(visit: Visit) {
  const { services, authorisation } = visit;
  const { psuId } = authorisation;
  const consent = await services.consents.findByAuthorisation(authorisation.id);
  if (psuId === undefined || consent === undefined) return UNKNOWN;
  if (isPastLastDay(consent, visit.now, services.profile)) return endAt(visit, "expired");
  const { accounts, asBefore } = await accountsToChoose(services, consent, {
    authorisation,
    psuId,
  });
  if (accounts.length === 0) return endAt(visit, "nothing-to-share");
  const outcome = await outcomeFor(visit, "accounts");
  const { rights } = consent.access;
  const frame = await frameOf(visit);
  return { ...frame, page: "accounts" as const, outcome, accounts, asBefore, rights };
}

async function summaryView(visit: Visit) {
  const summary = await summarise(visit);
  if (summary === undefined) return UNKNOWN;
  if (isPastLastDay(summary.consent, visit.now, visit.services.profile)) {
    return endAt(visit, "expired");
  }
  const linked = linkedAccounts(visit.authorisation.selection);
  return { ...(await confirmViewOf(visit, "summary", linked)), page: "summary" as const, summary };
}

async function paymentView(visit: Visit) {
  const terms = await paymentTerms(visit);
  if (terms === undefined) return endAt(visit, "account-gone");
  const { linked, ...payment } = terms;
  return { ...(await confirmViewOf(visit, "payment", linked)), page: "payment" as const, payment };
}

async function fundsView(visit: Visit) {
  const funds = await fundsTerms(visit);
  if (funds === undefined) return endAt(visit, "account-gone");
  const linked = funds.account.id;
  return { ...(await confirmViewOf(visit, "funds", linked)), page: "funds" as const, funds };
}

/** `linked`: what the page shows, as a proof is bound to it; the forms say so, and nothing else is confirmed. */
async function confirmViewOf(visit: Visit, page: "summary" | "payment" | "funds", linked: string) {
  const outcome = await outcomeFor(visit, page);
  return {
    ...(await frameOf(visit)),
    shown: await sha256(linked),
    outcome,
    code: await codePanelOf(visit, visit.authorisation),
    ...(await otherMeansOf(visit)),
  };
}

/** By which means the PSU may confirm, the first being the bank's wish, and the request that is in the app. */
async function otherMeansOf({ services, authorisation, now }: Visit) {
  const { psuId, approval, codesSent } = authorisation;
  const means = psuId === undefined ? [] : await meansOf(services, psuId);
  const waits = approval?.request !== undefined && now < approval.expiresAt;
  return {
    means,
    /** To be compared with what the app shows; absent while nothing waits there. */
    appReference: waits ? referenceOf(approval.nonce) : undefined,
    appAskable: codesSent < services.profile.sca.codesSentMax,
  };
}

/** Since the PSU's yes the TPP may have withdrawn it, the PSU revoked it, or its time run out. */
async function continuedView(visit: Visit) {
  const location = await finishPath(visit);
  if (location === undefined) return endAt(visit, "no-longer-valid");
  return { page: "continue" as const, location };
}

async function endView(visit: Visit) {
  const { services, authorisation, now } = visit;
  const { profile, config } = services;
  const refusal = await refusalOf(visit);
  const consent = await services.consents.findByAuthorisation(authorisation.id);
  const page = endPageFor({ authorisation, refusal, consent, profile, now });
  // The provider lets a customer sign in all the same.
  const confirming = page === "blocked" && config.PSU_LOGIN === "oidc";
  return endAt(visit, confirming ? "confirming-blocked" : page);
}

async function endAt(visit: Visit, page: EndPage) {
  const { blockMinutes } = visit.services.profile.sca;
  return { ...(await frameOf(visit)), page, blockMinutes };
}

function outcomeFor(visit: Visit, page: QuestionPage) {
  return readOutcome(visit, pagePath(visit.interaction.uid), page);
}

/** The code that is asked for, on the page that shows all it confirms or at the sign-in. */
export async function codePanelOf(
  { services, now }: Pick<Visit, "services" | "now">,
  { psuId, challenge, codesSent }: Pick<Authorisation, "psuId" | "challenge" | "codesSent">,
) {
  const { codeDigits, codeMinutes, codesSentMax, means } = services.profile.sca;
  const { SANDBOX, SMS_GATEWAY_URL } = services.config;
  // With a gateway the texts go there, and the sandbox's phone stays silent.
  const shown = SANDBOX && SMS_GATEWAY_URL === undefined && psuId !== undefined;
  const psu = shown ? await services.psuDirectory.find(psuId) : undefined;
  return {
    digits: codeDigits,
    /** Absent when none has been sent. */
    sentAt: challenge && addTime(challenge.expiresAt, -codeMinutes, "minute"),
    expired: challenge !== undefined && now >= challenge.expiresAt,
    newCodePossible: codesSent < codesSentMax && means.includes("code"),
    /** The PSU has one, and may use it instead. */
    passkey: psuId !== undefined && (await meansOf(services, psuId)).includes("passkey"),
    /** The sandbox's phone belongs to this user ID. */
    phoneOf: psu?.userId,
  };
}

/** What the PSU is about to agree to, read from the rows that the code is bound to; undefined when there is nothing. */
async function summarise(visit: Visit) {
  const { services, authorisation } = visit;
  const { id, psuId, selection } = authorisation;
  const { severalRecurringConsents } = services.profile.features;
  const { oneOffMinutes, historyDays, unlimitedHistoryMinutes } = services.profile.accountConsent;
  const consent = await services.consents.findByAuthorisation(id);
  if (psuId === undefined || consent === undefined) return undefined;
  const offered = await offerAccounts(services, { authorisation, psuId });
  const accounts = offered.filter(({ account }) => selection.includes(account.id));
  return {
    accounts,
    /** All that may be read of at least one of the accounts. */
    rights: accounts.map(({ rights }) => rights).reduce(unite, NOTHING),
    consent,
    replacesEarlier: consent.recurringIndicator && !severalRecurringConsents,
    oneOffMinutes,
    historyDays,
    unlimitedHistoryMinutes,
  };
}

const NOTHING: AccessRights = { balances: false, transactions: false, ownerName: false };

/**
 * What the PSU is about to pay, read from the rows that the code is bound to (RTS art. 5(1)(a)); undefined when
 * the debtor account is none of the PSU's any more.
 */
async function paymentTerms({ services, authorisation, language, now }: Visit) {
  const { id, psuId: customerId } = authorisation;
  const payment = await services.payments.findByAuthorisation(id);
  if (payment === undefined || customerId === undefined) return undefined;
  const { order } = payment;
  const quote = await services.coreBank.quotePayment({ customerId, order, now });
  if (quote === undefined) return undefined;
  // The debit is in the account's currency, the fee in the tariff's.
  const { account, debit, fee, rate, refusal, fundsAvailable, executionDate } = quote;
  const creditor = creditorOnPage(order.creditor, language);
  const isLimit = refusal === "psu-limit" || refusal === "day-limit";
  const limits = isLimit ? await services.coreBank.limits(customerId, now) : undefined;
  const linked = await linkedPayment(payment, debit);
  /** `refusal`, `fundsAvailable`: what the bank would say now; it decides when the payment is submitted. */
  return {
    ...{ order: { ...order, creditor }, account, debit, fee, rate },
    ...{ refusal, limits, fundsAvailable, executionDate, linked },
  };
}

/**
 * What a card's issuer may ask about, read from the rows that the code is bound to; undefined when the account is
 * none of the PSU's any more.
 */
async function fundsTerms({ services, authorisation }: Visit) {
  const consent = await services.fundsConsents.findByAuthorisation(authorisation.id);
  const account = await fixedAccount(services, authorisation);
  if (consent === undefined || account === undefined) return undefined;
  const { cardNumber, cardInformation, registrationInformation } = consent;
  return {
    account,
    /** The last four digits: enough to know one's card by, too few to pay with it. */
    cardEnding: cardNumber?.match(/\d{4}(?=\D*$)/)?.[0],
    cardInformation,
    registrationInformation,
    lastDay: lastDayOfCard(consent),
  };
}
