import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { CallOptions } from "./call";
import { NoAnswer } from "./http";
import type { Reply } from "./reply";

const TRIES = 4;
/** A caller who is to wait for longer gets the answer that says so. */
const RETRY_AFTER_MAX_SECONDS = 60;

export type RetryOptions = {
  /** Waited between two tries, unless `Retry-After` says longer. */
  readonly waitMilliseconds?: number;
  /** Told before each further try, with the X-Request-ID that is sent again. */
  readonly onRetry?: (requestId: string) => void;
};

/**
 * Asks until the bank has answered, with one X-Request-ID: when the connection breaks nobody knows
 * whether the bank has the request, and with its id it does not do it twice. 429 and 5xx are asked
 * again after `Retry-After`. Throws NoAnswer after the fourth time.
 */
export async function untilAnswered<Body>(
  ask: (more: CallOptions) => Promise<Reply<Body>>,
  { waitMilliseconds = 1_000, onRetry }: RetryOptions = {},
): Promise<Reply<Body>> {
  const requestId = randomUUID();
  for (let tries = 1; ; tries += 1) {
    const reply = await ask({ headers: { "x-request-id": requestId } }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer) || tries === TRIES) throw error;
      return undefined;
    });
    const seconds = Number(reply?.headers["retry-after"] ?? 0) || 0;
    const isFinal = tries === TRIES || seconds > RETRY_AFTER_MAX_SECONDS;
    if (reply !== undefined && (isFinal || !isToRepeat(reply))) return reply;
    onRetry?.(requestId);
    await pause(Math.max(waitMilliseconds, seconds * 1_000));
  }
}

function isToRepeat({ status }: Reply<unknown>): boolean {
  return status === 429 || status >= 500;
}
