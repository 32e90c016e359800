import { type MessageCode, Rejection } from "@/lib/domain/errors";
import type { EventLog } from "@/lib/domain/events";
import type { RequestId, TppId } from "@/lib/domain/values";

/** What is refused because the caller is not trusted, and not because the request is faulty. */
const trust: ReadonlySet<MessageCode> = new Set<MessageCode>([
  "CERTIFICATE_MISSING",
  "CERTIFICATE_INVALID",
  "CERTIFICATE_EXPIRED",
  "CERTIFICATE_BLOCKED",
  "CERTIFICATE_REVOKED",
  "ROLE_INVALID",
  "SIGNATURE_MISSING",
  "SIGNATURE_INVALID",
  "TOKEN_INVALID",
  "SERVICE_BLOCKED",
]);

/** Of one caller and code, an event at most in so many milliseconds from each process; the next one tells how many. */
const PAUSE_MS = 60_000;
/** Callers and codes that are remembered; the oldest is forgotten first, which at worst is an event more. */
const REMEMBERED_MAX = 2_000;

export type RefusalLog = { readonly note: (refused: Refused) => void };

type Refused = {
  readonly error: unknown;
  /** Unknown where its certificate was refused. */
  readonly tppId: TppId | undefined;
  /** What else tells one caller from another: the certificate as it came. */
  readonly certificate: string | undefined;
  readonly requestId: RequestId | undefined;
};

type Known = { readonly since: number; more: number };

/**
 * Records refusals for want of trust (RTS art. 29), bounded, since anybody can cause them without end. The TPP does not
 * wait for it, and is refused whether or not it can be recorded; `onFault` is called where it cannot.
 */
export function refusalLog(
  { record }: EventLog,
  onFault: (error: unknown) => void,
  milliseconds: () => number = () => performance.now(),
): RefusalLog {
  const known = new Map<string, Known>();
  return {
    note: ({ error, tppId, certificate, requestId }) => {
      const code = error instanceof Rejection ? error.faults[0].code : undefined;
      if (code === undefined || !trust.has(code)) return;
      const key = `${code} ${tppId ?? certificate ?? "nobody"}`;
      const last = known.get(key);
      const now = milliseconds();
      if (last !== undefined && now - last.since < PAUSE_MS) {
        last.more += 1;
        return;
      }
      known.delete(key);
      known.set(key, { since: now, more: 0 });
      if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value ?? key);
      const more = last?.more ?? 0;
      const detail = { code, ...(more > 0 && { moreSinceTheLast: more }) };
      record({ kind: "request-refused", tppId, requestId, detail }).catch(onFault);
    },
  };
}
