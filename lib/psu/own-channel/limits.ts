import { after } from "@/lib/domain/clock";
import type { TimeLimits } from "../time-limits";
import type { OwnVisit } from "./visit";

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
  const left = after(scaDoneAt, sessionMinutes, "minute").getTime() - now.getTime();
  return { signedInSeconds: Math.min(whole, Math.floor(left / 1_000)), extendable: false };
}
