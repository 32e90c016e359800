/** Whole seconds before the end at which it is said how many are left. */
export const warningSteps = [60, 30, 10] as const;

/** The session, which ends when nothing happens; and what the page is open for. */
type Ending = "signed-in" | "open";

/** What the bank says is left; a limit that it does not name does not exist. */
type SecondsLeft = {
  readonly signedInSeconds?: number | undefined;
  readonly openSeconds?: number | undefined;
};

/** The ends in milliseconds of the browser's clock, which need not be the bank's. */
export type Ends = Readonly<Partial<Record<Ending, number>>>;

export type TimeLeft =
  | { readonly phase: "quiet" }
  | {
      readonly phase: "warned";
      readonly ending: Ending;
      readonly step: (typeof warningSteps)[number];
      readonly secondsLeft: number;
    }
  | { readonly phase: "over"; readonly ending: Ending };

export function endsFrom({ signedInSeconds, openSeconds }: SecondsLeft, now: number): Ends {
  return {
    ...(signedInSeconds !== undefined && { "signed-in": now + signedInSeconds * 1_000 }),
    ...(openSeconds !== undefined && { open: now + openSeconds * 1_000 }),
  };
}

/** The end of the request comes before the end of the session, which a new sign-in would bring back. */
export function timeLeftAt(ends: Ends, now: number): TimeLeft {
  const { open, "signed-in": signedIn } = ends;
  if (open !== undefined && now >= open) return { phase: "over", ending: "open" };
  if (signedIn !== undefined && now >= signedIn) return { phase: "over", ending: "signed-in" };
  const ending = (open ?? Infinity) <= (signedIn ?? Infinity) ? "open" : "signed-in";
  const secondsLeft = Math.ceil(((ends[ending] ?? Infinity) - now) / 1_000);
  const step = warningSteps.findLast((seconds) => secondsLeft <= seconds);
  return step === undefined ? { phase: "quiet" } : { phase: "warned", ending, step, secondsLeft };
}

/** `1:00`, `0:09` */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
