import type { PsuId } from "../identifiers";

/** The bank's means to make, keep and deliver codes. */
export type OneTimeCodes = {
  /** Random decimal digits. */
  readonly create: (digits: number) => string;
  /** A keyed hash: without the bank's key, six digits behind a plain hash are no secret. */
  readonly fingerprint: (text: string) => string;
  /** Constant in time. */
  readonly equal: (one: string, other: string) => boolean;
  /** Hands the text to the PSU's phone; false when it could not be handed over. */
  readonly send: (message: TextMessage) => Promise<boolean>;
};

export type TextMessage = {
  readonly psuId: PsuId;
  readonly text: string;
  /** Absent in a text that only tells something. */
  readonly code?: string;
  readonly sentAt: Date;
};
