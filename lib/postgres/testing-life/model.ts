import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import { type ConsentStatus, isFinal } from "@/lib/domain/consent/consent-status";
import { endOfConsent } from "@/lib/domain/consent/validity-period";
import type { AuthorisationId, ConsentId, TppId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import {
  attemptLimits,
  type PsuAttempts,
  type SignInElement,
  type UserKey,
} from "@/lib/domain/sca/psu-attempts";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";

/** What should be true of one consent, in the words of the specification and without a database. */
export type Life = {
  readonly id: ConsentId;
  readonly authorisationId: AuthorisationId;
  readonly tppId: TppId;
  readonly recurringIndicator: boolean;
  readonly validUntil: IsoDate;
  readonly createdAt: Date;
  status: ConsentStatus;
  scaStatus: ScaStatus;
  psu?: string;
  authorisedAt?: Date;
  failedAttempts: number;
  codesSent: number;
  /** The newest code that was sent. */
  code?: { readonly text: string; readonly expiresAt: Date };
  /** Ended by time, so that the row may say so only when somebody reads it. */
  endedByTime: boolean;
};

export type Model = {
  now: Date;
  readonly lives: Life[];
  /** A model too, held against the database by a property of its own. */
  readonly psuAttempts: PsuAttempts;
};

const { sca } = aspspProfile;

export const isOpen = ({ scaStatus }: Life) => scaStatus !== "finalised" && scaStatus !== "failed";
const mayTry = (life: Life) => isOpen(life) && life.failedAttempts < sca.failedAttemptsMax;

/** What time alone does. */
export function passTime(model: Model, minutes: number): void {
  model.now = after(model.now, minutes, "minute");
  for (const life of model.lives) {
    if (isOpen(life) && model.now >= after(life.createdAt, sca.windowMinutes, "minute")) {
      end(life, "rejected");
      life.endedByTime = true;
    } else if (life.status === "valid" && life.authorisedAt !== undefined) {
      if (model.now < endOfConsent(life, life.authorisedAt, aspspProfile)) continue;
      end(life, "expired");
      life.endedByTime = true;
    }
  }
}

/**
 * How many more a failure would leave the PSU. Undefined when the attempt is not judged: with a PSU who
 * is blocked the authorisation ends instead.
 */
export async function attempt(
  model: Model,
  life: Life,
  { userId, element }: { readonly userId: string; readonly element: SignInElement },
): Promise<number | undefined> {
  if (!mayTry(life)) return undefined;
  const limits = attemptLimits(aspspProfile, model.now);
  const taken = await model.psuAttempts.take(userId as UserKey, element, limits, model.now);
  if (taken === undefined) end(life, "rejected");
  return taken?.attemptsLeft;
}

/** A wrong password or code; the last one, of the authorisation or its PSU, ends the authorisation. */
export function fail(life: Life, leftOfPsu?: number): void {
  life.failedAttempts += 1;
  if (life.failedAttempts === sca.failedAttemptsMax || leftOfPsu === 0) end(life, "rejected");
}

/** The PSU's yes; a recurring consent replaces the older one of the same TPP and PSU. */
export function authorise(model: Model, life: Life): void {
  const replaced = model.lives.filter(
    (other) =>
      other.status === "valid" &&
      other.recurringIndicator &&
      life.recurringIndicator &&
      other.tppId === life.tppId &&
      other.psu === life.psu,
  );
  for (const older of replaced) end(older, "expired");
  life.status = "valid";
  life.scaStatus = "finalised";
  life.authorisedAt = model.now;
}

export function end(life: Life, status: ConsentStatus): void {
  if (isFinal(life.status)) return;
  life.status = status;
  if (isOpen(life)) life.scaStatus = "failed";
}
