import { shown } from "@/lib/eidas/shown";
import { headerName } from "../header-names";
import type { HttpHeaders } from "../http";
import { signatureInvalid } from "./signature-invalid";

const ALWAYS = ["digest", "x-request-id", "date"] as const;
const WHEN_SENT = ["psu-id", "psu-corporate-id", "tpp-redirect-uri"] as const;
const NOK = "tpp-nok-redirect-uri";

/**
 * What the signature has to cover; more may be covered. Without this rule a signature over `date`
 * alone would pass for a signature of the request. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkCoveredHeaders(signed: readonly string[], headers: HttpHeaders): void {
  const demanded = [...ALWAYS, ...WHEN_SENT.filter((name) => headers.has(name))];
  const missing = demanded.filter((name) => !signed.includes(name));
  if (missing.length > 0) throw signatureInvalid(`Signature does not cover ${missing.join(", ")}`);
  const absent = signed.find((name) => !name.startsWith("(") && !headers.has(name));
  if (absent !== undefined) {
    const name = shown(absent);
    throw signatureInvalid(`Signature covers ${name}, but the request has no ${headerName(name)}`);
  }
  if (!signed.includes(NOK) && nokLeadsElsewhere(headers)) {
    throw signatureInvalid(
      `Signature does not cover ${NOK}, which leads to another host than tpp-redirect-uri`,
    );
  }
}

/**
 * The standard's profile does not have the Nok URI signed, so clients that sign what it lists send it
 * bare. Where it stays on the host of the signed URI nobody can be led astray by it. What is no URI at
 * all is refused where URIs are read.
 */
function nokLeadsElsewhere(headers: HttpHeaders): boolean {
  const nok = originOf(headers.get(NOK));
  if (nok === undefined) return false;
  const ok = originOf(headers.get("tpp-redirect-uri"));
  return ok !== undefined && ok !== nok;
}

function originOf(uri: string | null): string | undefined {
  return uri !== null && URL.canParse(uri) ? new URL(uri).origin : undefined;
}
