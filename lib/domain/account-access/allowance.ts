import type { Budget } from "./access-budget";

/** How many unattended accesses a consent has, how many are left, and when it gets the next one back. */
export type Allowance = {
  readonly limit: number;
  readonly left: number;
  readonly resetSeconds: number;
};

/** What an access yields; `allowance` only when it was unattended, since nothing else is counted. */
export type Served<Content> = {
  readonly content: Content;
  readonly allowance: Allowance | undefined;
};

/** Seconds are rounded up: who waits that long does not come too early. */
export function allowanceOf({ left, resetAt }: Budget, limit: number, now: Date): Allowance {
  const seconds = Math.ceil((resetAt.getTime() - now.getTime()) / 1_000);
  return { limit, left, resetSeconds: Math.max(0, seconds) };
}

/** By the names of the IETF's draft on RateLimit header fields, with the seconds to wait in `Reset`. */
export function rateLimitHeaders(
  allowance: Allowance | undefined,
): Readonly<Record<string, string>> {
  if (allowance === undefined) return {};
  return {
    "ratelimit-limit": String(allowance.limit),
    "ratelimit-remaining": String(allowance.left),
    "ratelimit-reset": String(allowance.resetSeconds),
  };
}
