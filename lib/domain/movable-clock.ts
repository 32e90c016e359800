import type { Clock } from "./clock";

/** What the sandbox's clock says, and how far it was moved; without an offset it was not. */
export type ClockReading = { readonly now: Date; readonly offsetMilliseconds?: number };

/**
 * The sandbox's one clock: nobody can wait 180 days to see a consent end. Wherever it is moved to, it
 * goes on from there.
 */
export type MovableClock = Clock & {
  readonly read: () => Promise<ClockReading>;
  readonly moveTo: (instant: Date) => Promise<ClockReading>;
  /** From where the clock is now, so that two who advance it at once both count. Undefined: past its end. */
  readonly advance: (milliseconds: number) => Promise<ClockReading | undefined>;
  readonly reset: () => Promise<ClockReading>;
};

/** Years of four digits, with room for what is reckoned from them. */
export const clockRange = {
  from: new Date("2000-01-01T00:00:00Z"),
  to: new Date("2999-12-31T23:59:59Z"),
} as const;
