import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { BankRefusal } from "@/lib/domain/payment/bank-refusal";
import type { Authorisation, FailureReason } from "@/lib/domain/sca/authorisation";

export const endPages = [
  "nothing-to-share",
  "already-confirmed",
  "no-longer-valid",
  "refused",
  "too-many-tries",
  "blocked",
  "expired",
  "withdrawn",
  "not-your-account",
  "account-gone",
  "tpp-blocked",
  "account-blocked",
  "above-your-limit",
  "above-day-limit",
] as const;

/** Pages from which only the way back is left. */
export type EndPage = (typeof endPages)[number];

const failed: Readonly<Record<FailureReason, EndPage>> = {
  cancelled: "refused",
  "too-many-tries": "too-many-tries",
  "psu-blocked": "blocked",
  "window-over": "expired",
  "withdrawn-by-tpp": "withdrawn",
  "not-own-account": "not-your-account",
  "account-gone": "account-gone",
  "tpp-blocked": "tpp-blocked",
};

const refused: Readonly<Record<BankRefusal, EndPage>> = {
  "account-blocked": "account-blocked",
  "psu-limit": "above-your-limit",
  "day-limit": "above-day-limit",
};

type Ended = {
  readonly authorisation: Authorisation;
  /** Of a payment that its PSU has confirmed. */
  readonly refusal: BankRefusal | undefined;
  readonly consent: Pick<AccountConsent, "status"> | undefined;
  readonly profile: AspspProfile;
  readonly now: Date;
};

/** Why nothing came of it, for the PSU's eyes. */
export function endPageFor({ refusal, ...ended }: Ended): EndPage {
  if (refusal !== undefined) return refused[refusal];
  const { failedBecause } = ended.authorisation;
  return failedBecause === undefined ? guessed(ended) : failed[failedBecause];
}

/** For what failed before the reason was kept. */
function guessed({ authorisation, consent, profile, now }: Omit<Ended, "refusal">): EndPage {
  if (consent?.status === "terminatedByTpp") return "withdrawn";
  if (authorisation.failedAttempts >= profile.sca.failedAttemptsMax) return "too-many-tries";
  return now >= authorisation.expiresAt ? "expired" : "refused";
}
