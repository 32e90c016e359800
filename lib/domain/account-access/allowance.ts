import type { Budget } from "./access-budget";
import type { Access } from "./granted-account";

/**
 * Why the address that a TPP named as its PSU's is none a PSU can have called from: it is reserved, not of the
 * public Internet, or the TPP's own.
 */
export type AddressIgnored = "reserved" | "not-public" | "of-the-tpp";

/** How many unattended accesses a consent has, how many are left, and when it gets the next one back. */
export type Allowance = {
  readonly limit: number;
  readonly left: number;
  readonly resetSeconds: number;
  /** Set where the access would have been attended but for the address that was named. */
  readonly addressIgnored?: AddressIgnored;
};

/** What an access yields; `allowance` only when it was unattended, since nothing else is counted. */
export type Served<Content> = {
  readonly content: Content;
  readonly allowance: Allowance | undefined;
};

/** Seconds are rounded up: who waits that long does not come too early. */
export function allowanceOf(
  { left, resetAt }: Budget,
  limit: number,
  { now, addressIgnored }: Pick<Access, "now" | "addressIgnored">,
): Allowance {
  const seconds = Math.ceil((resetAt.getTime() - now.getTime()) / 1_000);
  const allowance = { limit, left, resetSeconds: Math.max(0, seconds) };
  return addressIgnored === undefined ? allowance : { ...allowance, addressIgnored };
}

/**
 * By the names of the IETF's draft on RateLimit header fields, with the seconds to wait in `Reset`; and a
 * name of the bank's own for what would otherwise go unnoticed until the budget is used up.
 */
export function rateLimitHeaders(
  allowance: Allowance | undefined,
): Readonly<Record<string, string>> {
  if (allowance === undefined) return {};
  return {
    "ratelimit-limit": String(allowance.limit),
    "ratelimit-remaining": String(allowance.left),
    "ratelimit-reset": String(allowance.resetSeconds),
    ...(allowance.addressIgnored !== undefined && {
      "psu-ip-address-ignored": allowance.addressIgnored,
    }),
  };
}
