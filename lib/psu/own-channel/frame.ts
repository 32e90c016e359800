import type { TimeLimits } from "../time-limits";
import { ownFormToken } from "./form-token";
import { ownLimitsOf } from "./limits";
import type { OwnVisit } from "./visit";

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
