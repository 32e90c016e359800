import { lastWindowEnd } from "@/lib/domain/sca/extend-window";
import type { Visit } from "./visit";

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
