import { isDecided, lastWindowEnd } from "@/lib/domain/authorisation";
import { addTime } from "@/lib/domain/values";
import { formTokens, ownFormToken } from "./form-token";
import { cancelTicket } from "./leave";
import type { Outcome } from "./outcome";
import type { OwnVisit, Visit } from "./visit";

/** What every page of an authorisation shows or sends. */
export type Frame = Awaited<ReturnType<typeof frameOf>> & {
  readonly outcome?: Outcome | undefined;
};

export async function frameOf(visit: Visit) {
  const { services, interaction, authorisation, session, tpp } = visit;
  const { uid } = interaction;
  const { config, profile } = services;
  return {
    uid,
    kind: authorisation.kind,
    /** Nothing is left to answer: going back changes nothing. */
    decided: isDecided(authorisation.scaStatus),
    bankName: profile.name,
    timeZone: profile.timeZone,
    tpp,
    tokens: await formTokens({ secret: config.SESSION_SECRET, uid, session }),
    ticket: await cancelTicket(visit),
    /** The end of the SCA window. */
    openUntil: authorisation.expiresAt,
    inactivityMinutes: profile.sca.inactivityMinutes,
    limits: timeLimitsOf(visit),
    sandbox: config.SANDBOX,
    webUrl: config.WEB_URL,
  };
}

/** What every page of the bank's own channel shows or sends. */
export type OwnFrame = Awaited<ReturnType<typeof ownFrameOf>>;

export async function ownFrameOf(visit: OwnVisit) {
  const { services, session } = visit;
  const { config, profile } = services;
  return {
    bankName: profile.name,
    timeZone: profile.timeZone,
    inactivityMinutes: profile.ownChannel.inactivityMinutes,
    blockMinutes: profile.sca.blockMinutes,
    sandbox: config.SANDBOX,
    webUrl: config.WEB_URL,
    signedIn: session.state === "signed-in",
    signOutToken: await ownFormToken(visit, "sign-out"),
    /** Where a session can end. */
    limits: ownLimitsOf(visit),
    stayToken: await ownFormToken(visit, "stay"),
  };
}

/** What is left as the bank sees it: the browser's clock may be set to anything. */
export type TimeLimits = {
  /** Until the session ends if nothing happens; absent where nobody is signed in. */
  readonly signedInSeconds?: number;
  /** Until the end of what the page is open for. */
  readonly openSeconds?: number;
  /** Whether that end can still be moved. */
  readonly extendable: boolean;
};

/** Being asked for a page was activity, so that the session has its whole time again. */
export function timeLimitsOf({
  services,
  authorisation,
  session,
  now,
}: Pick<Visit, "services" | "authorisation" | "session" | "now">): TimeLimits {
  const { profile } = services;
  const left = authorisation.expiresAt.getTime() - now.getTime();
  return {
    ...(session.state === "own" && { signedInSeconds: profile.sca.inactivityMinutes * 60 }),
    openSeconds: Math.floor(left / 1_000),
    extendable: authorisation.expiresAt < lastWindowEnd(profile, authorisation),
  };
}

/**
 * Being asked for a page was activity, so that the session has its whole time again. The end of the session cannot be moved.
 * Undefined where no session can end.
 */
export function ownLimitsOf({ services, session, now }: OwnVisit): TimeLimits | undefined {
  if (!("signIn" in session)) return undefined;
  const { inactivityMinutes, sessionMinutes } = services.profile.ownChannel;
  const { beganAt } = session.signIn;
  const left = addTime(beganAt, sessionMinutes, "minute").getTime() - now.getTime();
  return {
    signedInSeconds: inactivityMinutes * 60,
    openSeconds: Math.floor(left / 1_000),
    extendable: false,
  };
}
