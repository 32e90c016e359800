import type { AccessRights } from "@/lib/domain/consent/access-request";
import { type OfferedAccount, offerAccounts } from "@/lib/domain/sca/offer-accounts";
import { type CodePanel, codePanelOf } from "./code-panel";
import { type EndPage, endPageFor } from "./end-pages";
import { finishPath } from "./finish";
import { type Frame, frameOf } from "./frame";
import { type FundsTerms, fundsTerms } from "./funds-terms";
import { readOutcome } from "./outcome";
import { stepFor } from "./pages";
import { type PaymentTerms, paymentTerms } from "./payment-terms";
import { refusalOf } from "./refusal";
import { type ConsentSummary, summarise } from "./summary";
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
