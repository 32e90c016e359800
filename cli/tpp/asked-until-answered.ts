import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { CallOptions } from "./call";
import { NoAnswer } from "./http";
import type { Reply } from "./reply";

const TRIES = 4;

type Patience = { readonly waitMilliseconds?: number; readonly told?: (line: string) => void };

/**
 * Asks until the bank has answered, with one X-Request-ID: when the connection breaks nobody knows
 * whether the bank has the request, and with its id it does not do it twice. Throws NoAnswer after the
 * fourth time.
 */
export async function askedUntilAnswered<Body>(
  ask: (more: CallOptions) => Promise<Reply<Body>>,
  { waitMilliseconds = 1_000, told = console.log }: Patience = {},
): Promise<Reply<Body>> {
  const requestId = randomUUID();
  for (let tries = 1; ; tries += 1) {
    const reply = await ask({ headers: { "x-request-id": requestId } }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer) || tries === TRIES) throw error;
      return undefined;
    });
    if (reply !== undefined && (reply.status < 500 || tries === TRIES)) return reply;
    told(`No answer yet. The same request goes out again (X-Request-ID ${requestId}).`);
    await pause(waitMilliseconds);
  }
}
