import type { AccessRights } from "@/lib/domain/consent/access-request";
import { type OfferedAccount, offerAccounts } from "@/lib/domain/sca/offer-accounts";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { cancelTicket } from "./cancel-ticket";
import { finishPath } from "./finish";
import { type FormTokens, formTokens } from "./form-token";
import { type Outcome, readOutcome } from "./outcome";
import { type EndPage, endPageFor, stepFor } from "./pages";
import { type ConsentSummary, summarise } from "./summary";
import type { Visit } from "./visit";

/** What every page of an open authorisation shows or sends. */
export type Frame = {
  readonly uid: string;
  readonly bankName: string;
  readonly timeZone: string;
  readonly tpp: Tpp;
  readonly tokens: FormTokens;
  readonly ticket: string;
  readonly outcome?: Outcome | undefined;
  /** The end of the SCA window. */
  readonly openUntil: Date;
  readonly inactivityMinutes: number;
  readonly sandbox: boolean;
};

export type LoginView = Frame & {
  readonly page: "login" | "login-again" | "not-yours";
  readonly userId?: string | undefined;
};
export type AccountsView = Frame & {
  readonly page: "accounts";
  readonly accounts: readonly OfferedAccount[];
  readonly rights: AccessRights;
};
export type SummaryView = Frame & { readonly page: "summary"; readonly summary: ConsentSummary };
/** A fault of ours; without a frame when not even that could be made. */
export type FaultView = { readonly page: "fault"; readonly frame?: Frame | undefined };
export type EndView = Frame & { readonly page: EndPage };

/** What a page shows, as plain values: no page asks anybody anything. */
export type View =
  | LoginView
  | AccountsView
  | SummaryView
  | EndView
  | FaultView
  | { readonly page: "continue"; readonly location: string }
  | { readonly page: "unknown" };

type Asked = { readonly again?: "accounts" | undefined };

/** The one question that fits the state, with all it needs. */
export async function viewOf(visit: Visit, { again }: Asked = {}): Promise<View> {
  const { authorisation, session } = visit;
  const { kind, scaStatus } = authorisation;
  const step = stepFor({ kind, scaStatus, session: session.state, again });
  switch (step) {
    case "login":
    case "login-again":
    case "not-yours":
      return loginView(visit, step);
    case "accounts":
      return accountsView(visit);
    case "summary":
      return summaryView(visit);
    case "continue":
      return { page: "continue", location: await finishPath(visit) };
    case "already-confirmed":
      return { ...(await frameOf(visit)), page: step };
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
  const frame = await frameOf(visit);
  if (accounts.length === 0) return { ...frame, page: "nothing-to-share" };
  const outcome = await outcomeFor(visit, "accounts");
  return { ...frame, page: "accounts", outcome, accounts, rights: consent.access.rights };
}

async function summaryView(visit: Visit): Promise<View> {
  const summary = await summarise(visit);
  if (summary === undefined) return { page: "unknown" };
  const outcome = await outcomeFor(visit, "summary");
  return { ...(await frameOf(visit)), page: "summary", outcome, summary };
}

async function endView(visit: Visit): Promise<View> {
  const { house, authorisation, now } = visit;
  const consent = await house.consents.findByAuthorisation(authorisation.id);
  const page = endPageFor({ authorisation, consent, profile: house.profile, now });
  return { ...(await frameOf(visit)), page };
}

export async function frameOf(visit: Visit): Promise<Frame> {
  const { house, interaction, authorisation, session, tpp } = visit;
  const { uid } = interaction;
  return {
    uid,
    bankName: house.profile.name,
    timeZone: house.profile.timeZone,
    tpp,
    tokens: await formTokens({ secret: house.config.SESSION_SECRET, uid, session }),
    ticket: await cancelTicket(visit),
    openUntil: authorisation.expiresAt,
    inactivityMinutes: house.profile.sca.inactivityMinutes,
    sandbox: house.config.SANDBOX,
  };
}

function outcomeFor(visit: Visit, page: Parameters<typeof readOutcome>[2]) {
  const where = { uid: visit.interaction.uid, config: visit.house.config };
  return readOutcome(where, visit.cookieHeader, page);
}
