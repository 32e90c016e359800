import { isDecided, lastWindowEnd, type ResourceKind } from "@/lib/domain/authorisation";
import type { Tpp } from "@/lib/domain/tpp";
import { addTime } from "@/lib/domain/values";
import { type FormTokens, formTokens, ownFormToken } from "./form-token";
import { cancelTicket } from "./leave";
import type { Outcome } from "./outcome";
import type { OwnVisit, Visit } from "./visit";

/** What every page of an authorisation shows or sends. */
export type Frame = {
  readonly uid: string;
  readonly kind: ResourceKind;
  /** Nothing is left to answer: going back changes nothing. */
  readonly decided: boolean;
  readonly bankName: string;
  readonly timeZone: string;
  readonly tpp: Tpp;
  readonly tokens: FormTokens;
  readonly ticket: string;
  readonly outcome?: Outcome | undefined;
  /** The end of the SCA window. */
  readonly openUntil: Date;
  readonly inactivityMinutes: number;
  readonly limits: TimeLimits;
  readonly sandbox: boolean;
};

export async function frameOf(visit: Visit): Promise<Frame> {
  const { house, interaction, authorisation, session, tpp } = visit;
  const { uid } = interaction;
  return {
    uid,
    kind: authorisation.kind,
    decided: isDecided(authorisation.scaStatus),
    bankName: house.profile.name,
    timeZone: house.profile.timeZone,
    tpp,
    tokens: await formTokens({ secret: house.config.SESSION_SECRET, uid, session }),
    ticket: await cancelTicket(visit),
    openUntil: authorisation.expiresAt,
    inactivityMinutes: house.profile.sca.inactivityMinutes,
    limits: timeLimitsOf(visit),
    sandbox: house.config.SANDBOX,
  };
}

/** What every page of the bank's own channel shows or sends. */
export type OwnFrame = {
  readonly bankName: string;
  readonly timeZone: string;
  readonly inactivityMinutes: number;
  readonly blockMinutes: number;
  readonly sandbox: boolean;
  readonly signOutToken: string;
  /** Where a session can end. */
  readonly limits: TimeLimits | undefined;
  readonly stayToken: string;
};

export async function ownFrameOf(visit: OwnVisit): Promise<OwnFrame> {
  const { house, session } = visit;
  const { config, profile } = house;
  const form = { secret: config.SESSION_SECRET, session };
  return {
    bankName: profile.name,
    timeZone: profile.timeZone,
    inactivityMinutes: profile.ownChannel.inactivityMinutes,
    blockMinutes: profile.sca.blockMinutes,
    sandbox: config.SANDBOX,
    signOutToken: await ownFormToken({ ...form, action: "sign-out" }),
    limits: ownLimitsOf(visit),
    stayToken: await ownFormToken({ ...form, action: "stay" }),
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
  house,
  authorisation,
  session,
  now,
}: Pick<Visit, "house" | "authorisation" | "session" | "now">): TimeLimits {
  const { profile } = house;
  const left = authorisation.expiresAt.getTime() - now.getTime();
  return {
    ...(session.state === "own" && { signedInSeconds: profile.sca.inactivityMinutes * 60 }),
    openSeconds: Math.floor(left / 1_000),
    extendable: authorisation.expiresAt < lastWindowEnd(profile, authorisation),
  };
}

/**
 * Being asked for a page was activity, so that the session has its whole time again, as far as its last
 * hour goes. Undefined where no session can end.
 */
export function ownLimitsOf({ house, session, now }: OwnVisit): TimeLimits | undefined {
  if (!("signIn" in session)) return undefined;
  const { inactivityMinutes, sessionMinutes } = house.profile.ownChannel;
  const whole = inactivityMinutes * 60;
  const { scaDoneAt } = session.signIn;
  if (scaDoneAt === undefined) return { signedInSeconds: whole, extendable: false };
  const left = addTime(scaDoneAt, sessionMinutes, "minute").getTime() - now.getTime();
  return { signedInSeconds: Math.min(whole, Math.floor(left / 1_000)), extendable: false };
}
