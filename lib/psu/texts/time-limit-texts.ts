import type { WarningStep } from "../browser/time-left";

/** Before a time limit ends, and after. */
export type TimeLimitTexts = {
  readonly more: string;
  readonly signedInLeft: Readonly<Record<WarningStep, string>>;
  readonly openLeft: Readonly<Record<WarningStep, string>>;
  readonly extended: string;
  readonly failed: string;
  readonly signedOut: (minutes: number) => string;
  readonly signInAgain: string;
  readonly closed: string;
};
