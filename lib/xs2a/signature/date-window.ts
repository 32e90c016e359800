import { reject } from "@/lib/domain/rejection";
import { signatureInvalid } from "./signature-invalid";

const IMF_FIXDATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * A signature is good for a few minutes: a request that was recorded cannot be sent again later.
 * Rejects with 401 SIGNATURE_INVALID when there is no Date, 400 TIMESTAMP_INVALID when it is wrong.
 */
export function checkDate(header: string | null, now: Date, skewSeconds: number): void {
  if (header === null) throw signatureInvalid("Date is missing", "Date");
  const sent = IMF_FIXDATE.test(header) ? Date.parse(header) : Number.NaN;
  if (Number.isNaN(sent)) {
    throw reject("TIMESTAMP_INVALID", "Date is not a date of RFC 7231", { path: "Date" });
  }
  const seconds = Math.round((sent - now.getTime()) / 1_000);
  if (Math.abs(seconds) <= skewSeconds) return;
  const direction = seconds < 0 ? "behind" : "ahead of";
  const text = `Date is ${Math.abs(seconds)} s ${direction} the bank's clock, ${skewSeconds} s are allowed`;
  throw reject("TIMESTAMP_INVALID", text, { path: "Date" });
}
