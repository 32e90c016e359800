import { headerName } from "../header-names";
import { signatureInvalid } from "./signature-invalid";

const ALWAYS = ["digest", "x-request-id", "date"] as const;
const WHEN_SENT = ["psu-id", "psu-corporate-id", "tpp-redirect-uri"] as const;

/**
 * What the signature has to cover; more may be covered. Without this rule a signature over `date`
 * alone would pass for a signature of the request. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkCoveredHeaders(signed: readonly string[], headers: Headers): void {
  const demanded = [...ALWAYS, ...WHEN_SENT.filter((name) => headers.has(name))];
  const missing = demanded.filter((name) => !signed.includes(name));
  if (missing.length > 0) throw signatureInvalid(`Signature does not cover ${missing.join(", ")}`);
  const absent = signed.find((name) => !name.startsWith("(") && !headers.has(name));
  if (absent !== undefined) {
    throw signatureInvalid(
      `Signature covers ${absent}, but the request has no ${headerName(absent)}`,
    );
  }
}
