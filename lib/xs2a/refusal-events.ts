import { createHash } from "node:crypto";
import { Rejection } from "@/lib/domain/errors";
import type { EventLog, RefusalLog } from "@/lib/domain/events";
import { isTppId } from "@/lib/domain/tpp";
import type { Certificate } from "@/lib/eidas/certificate";

/** What is refused because the caller is not trusted, and not because the request is faulty. */
const trust: ReadonlySet<string> = new Set([
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
  // Of the token endpoint (RFC 6749 5.2).
  "invalid_client",
  "invalid_grant",
]);

/** Of one caller and code, an event at most in so many milliseconds from each process; the next one tells how many. */
const PAUSE_MS = 60_000;
/** Callers and codes that are remembered; the oldest is forgotten first, which at worst is an event more. */
const REMEMBERED_MAX = 2_000;

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
      const code = codeOf(error);
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
      const detail = {
        code,
        ...(tppId === undefined &&
          certificate !== undefined && { certificate: sha256(certificate) }),
        ...(more > 0 && { moreSinceTheLast: more }),
      };
      record({ kind: "request-refused", tppId, requestId, detail }).catch(onFault);
    },
  };
}

/** Records that a certificate of unknown status was accepted. The request does not wait for it. */
export function unknownStatusLog({ record }: EventLog, onFault: (error: unknown) => void) {
  return ({ thumbprint, organizationIdentifier: id }: Certificate): void => {
    const detail = { certificate: Buffer.from(thumbprint, "base64url").toString("hex") };
    const tppId = id !== undefined && isTppId(id) ? id : undefined;
    record({ kind: "certificate-status-unknown", tppId, detail }).catch(onFault);
  };
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof Rejection) return error.faults[0].code;
  return error instanceof Error && "error" in error ? String(error.error) : undefined;
}

/** The fingerprint that any tool shows for it. */
function sha256(clientCert: string): string {
  const der = Buffer.from(clientCert.replaceAll(":", ""), "base64");
  return createHash("sha256").update(der).digest("hex");
}
