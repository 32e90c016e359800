import { referenceOf } from "@/lib/domain/sign-in";
import { codePanelOf } from "./authorisation-view";
import { ownFormToken } from "./form-token";
import { ownFrameOf } from "./frame";
import { type OwnOutcome, readOutcome } from "./outcome";
import { ownPath } from "./paths";
import type { OwnSession } from "./session";
import type { OwnVisit } from "./visit";

/** What the sign-in shows, as plain values; `onward` when both elements are proved. */
export type PasswordView = Awaited<ReturnType<typeof passwordView>>;
export type CodeView = Awaited<ReturnType<typeof codeView>>;

export async function signInView(visit: OwnVisit, asked: unknown) {
  const to = ownPath(asked);
  switch (visit.session.state) {
    case "nobody":
      return passwordView(visit, "sign-in", to);
    case "ended":
      return passwordView(visit, "sign-in-again", to);
    case "password":
      return codeView(visit, visit.session, to);
    case "signed-in":
      return { page: "onward" as const, location: to };
  }
}

async function passwordView(visit: OwnVisit, page: "sign-in" | "sign-in-again", to: string) {
  const outcome = await readOutcome(visit, "/sign-in", page);
  return {
    ...(await ownFrameOf(visit)),
    page,
    to,
    outcome,
    userId: outcome?.userId,
    byProvider: visit.services.config.PSU_LOGIN === "oidc",
    token: await ownFormToken(visit, "password"),
    /** Where the user ID is blocked, a passkey lets its owner try: shown for every user ID, with or without one. */
    unlock: isBlocked(outcome)
      ? {
          token: await ownFormToken(visit, "unlock"),
          challengeToken: await ownFormToken(visit, "unlock-challenge"),
        }
      : undefined,
  };
}

const unlocking = ["blocked", "blocked-for-good", "not-unlocked"] as const;

function isBlocked(outcome: OwnOutcome | undefined): boolean {
  return unlocking.some((one) => one === outcome?.outcome);
}

type PasswordSession = Extract<OwnSession, { readonly signIn: unknown }>;

async function codeView(visit: OwnVisit, session: PasswordSession, to: string) {
  const panel = await codePanelOf(visit, session.signIn);
  return {
    ...(await ownFrameOf(visit)),
    ...panel,
    page: "code" as const,
    to,
    outcome: await readOutcome(visit, "/sign-in", "code"),
    reference: referenceOf(session.signIn.session),
    token: await ownFormToken(visit, "code"),
    newCodeToken: await ownFormToken(visit, "new-code"),
    /** Of a PSU who has one, and may use it instead. */
    passkey: panel.passkey
      ? {
          token: await ownFormToken(visit, "passkey"),
          challengeToken: await ownFormToken(visit, "passkey-challenge"),
        }
      : undefined,
  };
}
