import { reject } from "@/lib/domain/rejection";
import { signatureInvalid } from "./signature-invalid";

/** The last header that was well written: all requests of one second have the same. */
let lately = { header: "none", milliseconds: Number.NaN };

/**
 * A signature is good for a few minutes: a request that was recorded cannot be sent again later.
 * Rejects with 401 SIGNATURE_INVALID when there is no Date, 400 TIMESTAMP_INVALID when it is wrong.
 */
export function checkDate(header: string | null, now: Date, skewSeconds: number): void {
  if (header === null) throw signatureInvalid("Date is missing", "Date");
  if (lately.header !== header) lately = { header, milliseconds: instantOf(header, now) };
  const seconds = Math.round((lately.milliseconds - now.getTime()) / 1_000);
  if (Math.abs(seconds) <= skewSeconds) return;
  const direction = seconds < 0 ? "behind" : "ahead of";
  throw wrong(
    `Date is ${Math.abs(seconds)} s ${direction} the bank's clock, which says ${now.toUTCString()}; ${skewSeconds} s are allowed`,
  );
}

function instantOf(header: string, now: Date): number {
  const sent = new Date(header);
  const isInstant = !Number.isNaN(sent.getTime());
  // The one form of RFC 7231 that may be sent is the one that JavaScript writes.
  if (!isInstant || sent.toUTCString() !== header) {
    const written = (isInstant ? sent : now).toUTCString();
    throw wrong(`Date is not a date of RFC 7231, which is written ${written}`);
  }
  return sent.getTime();
}

function wrong(text: string) {
  return reject("TIMESTAMP_INVALID", text, { path: "Date" });
}
