import { reject } from "@/lib/domain/rejection";
import type { Certificate } from "@/lib/eidas/certificate";
import { checkQseal } from "@/lib/eidas/qseal";
import type { Qwac } from "@/lib/eidas/qwac";
import type { HttpHead } from "./http";
import type { Xs2aPorts } from "./ports";
import { checkCoveredHeaders } from "./signature/covered-headers";
import { checkDate } from "./signature/date-window";
import { checkDigest } from "./signature/digest";
import { checkKeyId } from "./signature/key-id";
import { likelyTexts } from "./signature/likely-texts";
import { parseSignatureHeader } from "./signature/signature-header";
import { signingString } from "./signature/signing-string";
import { checkVerifies } from "./signature/verifies";

/**
 * The seal of the same TPP over this very request: draft-cavage-http-signatures as NextGenPSD2
 * narrows it. The certificate comes first, so that only a trusted one's holder learns what is wrong
 * with the rest; the arithmetic comes last. Yields the seal's certificate. Rejects with 401
 * SIGNATURE_* or CERTIFICATE_*, or 400 TIMESTAMP_INVALID.
 */
export function verifySignature(
  request: HttpHead,
  body: Uint8Array,
  qwac: Qwac,
  { trustAnchors, profile }: Pick<Xs2aPorts, "trustAnchors" | "profile">,
  now: Date,
): Certificate {
  const { headers } = request;
  const header = headers.get("signature");
  if (header === null) {
    throw reject("SIGNATURE_MISSING", "Signature is missing: every request has to be signed", {
      path: "Signature",
    });
  }
  const seal = checkQseal(
    headers.get("tpp-signature-certificate") ?? undefined,
    qwac,
    trustAnchors,
    now,
  );
  const { keyId, algorithm, signedHeaders, signature } = parseSignatureHeader(header);
  checkDigest(headers.get("digest"), body);
  checkDate(headers.get("date"), now, profile.request.dateSkewSeconds);
  checkCoveredHeaders(signedHeaders, headers);
  checkKeyId(keyId, seal, qwac.certificate);
  const signed = signingString(signedHeaders, request);
  const likely = likelyTexts({ signedHeaders, request, body });
  checkVerifies({ algorithm, signature, signed }, seal, likely);
  return seal;
}
