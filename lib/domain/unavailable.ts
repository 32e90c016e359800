import { aspspProfile } from "./aspsp-profile";

/**
 * Something the bank cannot work without is away at the moment. It says nothing about what was asked: a
 * change that was under way has been made or has not, so it is never an acknowledgement, and whoever
 * asks again is answered from what is on record.
 */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** What is away, in a few words for the log and nothing of what was asked; undefined for an error that is no outage. */
export function outageIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return error instanceof UnavailableError ? error.message : outageIn(error.cause);
}

export function isUnavailable(error: unknown): boolean {
  return outageIn(error) !== undefined;
}

/** RFC 9110 10.2.3, in seconds. */
export const retryAfter = {
  "retry-after": String(aspspProfile.request.retryAfterSeconds),
} as const;
