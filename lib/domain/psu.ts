import type { AspspProfile } from "./bank-profile";
import { addTime, type PsuId, type TppId } from "./values";

export type Psu = { readonly id: PsuId; readonly userId: string; readonly name: string };

/** The bank's customers, as far as an authorisation needs them. */
export type PsuDirectory = {
  /**
   * The PSU, or undefined; takes as long for an unknown user ID as for a wrong password. In an authorisation with its
   * TPP: a sandbox has PSUs that are unknown to all TPPs but one.
   */
  readonly verifyPassword: (
    userId: string,
    password: string,
    tppId?: TppId,
  ) => Promise<Psu | undefined>;
  /** Shows whether a user ID exists: no answer may wait for it. */
  readonly findByUserId: (userId: string) => Promise<Psu | undefined>;
  readonly find: (id: PsuId) => Promise<Psu | undefined>;
};

/** Makes, fingerprints and delivers codes. */
export type OneTimeCodes = {
  /** Random decimal digits. */
  readonly create: (digits: number) => string;
  /** A keyed hash: without the bank's key, six digits behind a plain hash are no secret. */
  readonly fingerprint: (text: string) => string;
  /** With each of the bank's keys, of which there are several while one follows another; the first is `fingerprint`'s. */
  readonly fingerprints: (text: string) => readonly [string, ...string[]];
  /** Whether this is the text's fingerprint with one of the keys; constant in time. */
  readonly matches: (text: string, fingerprint: string) => boolean;
  /** Sends the text to the PSU's phone; false when it could not be sent. */
  readonly send: (message: TextMessage) => Promise<boolean>;
};

export type TextMessage = {
  readonly psuId: PsuId;
  readonly text: string;
  /** Absent in a notice. */
  readonly code?: string;
  readonly sentAt: Date;
};

/** What came of sending a code for an authorisation or a sign-in. */
export type CodeSent = {
  readonly outcome: "code-sent" | "not-delivered" | "too-many-codes" | "too-many-texts" | "ended";
};

/**
 * The codes sent to a PSU, over all authorisations, sign-ins and servers: somebody who knows a password could
 * otherwise start any number of these, each with a text message.
 */
export type TextBudget = {
  /** One text more; false, and nothing is counted, while as many as there may be are in the window. */
  readonly take: (psuId: PsuId, limits: TextLimits, now: Date) => Promise<boolean>;
};

type TextLimits = {
  readonly textsMax: number;
  /** What was sent then or before is out of the window. */
  readonly since: Date;
};

export function textLimits({ sca }: AspspProfile, now: Date): TextLimits {
  return { textsMax: sca.textsPerHourMax, since: addTime(now, -1, "hour") };
}

/**
 * A user ID as it is meant, however it was typed. The directory finds a PSU by it and failures are
 * counted by it: if the two differed, another spelling would give another five tries.
 */
export function meantUserId(typed: string): string {
  return typed.trim().toLowerCase();
}
