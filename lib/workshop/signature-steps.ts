import { createHash } from "node:crypto";
import type { Certificate } from "@/lib/eidas/certificate";
import { checkCoveredHeaders } from "@/lib/xs2a/signature/covered-headers";
import { checkDate } from "@/lib/xs2a/signature/date-window";
import { checkDigest } from "@/lib/xs2a/signature/digest";
import { checkKeyId } from "@/lib/xs2a/signature/key-id";
import { likelyTexts } from "@/lib/xs2a/signature/likely-texts";
import type { SignatureHeader } from "@/lib/xs2a/signature/signature-header";
import { signingString } from "@/lib/xs2a/signature/signing-string";
import { algorithmMeant, checkVerifies } from "@/lib/xs2a/signature/verifies";
import { coveredFacts } from "./covered-facts";
import type { Means } from "./means";
import { asPasted } from "./raw-request";
import { type Fact, judged, notJudged, type Step } from "./step";
import { isHidden, withoutSecrets } from "./without-secrets";

/** The time of a request that was kept for a while has gone by. */
const EXPLAINED_LATE: Fact = {
  label: "If it was sent then",
  value: "say when it arrived, and it is judged by that time",
};
const NO_HEADER = "The Signature header could not be read.";
const NO_SEAL = "The seal certificate could not be read.";

export async function digestStep(digest: string | null, body: Uint8Array): Promise<Step> {
  const algorithm = /\bsha-512=/i.test(digest ?? "none") ? "SHA-512" : "SHA-256";
  const hash = createHash(algorithm.replace("-", "").toLowerCase()).update(body);
  const facts = [
    { label: "Sent", value: digest ?? "nothing" },
    { label: "Expected", value: `${algorithm}=${hash.digest("base64")}` },
    { label: "Bytes of the body", value: String(body.byteLength) },
  ];
  return (await judged("Digest", facts, () => checkDigest(digest, body))).step;
}

export async function dateStep(date: string | null, { now, profile }: Means): Promise<Step> {
  const { dateSkewSeconds } = profile.request;
  const sent = date === null ? Number.NaN : Date.parse(date);
  const seconds = Math.round((sent - now.getTime()) / 1_000);
  const facts = [
    { label: "Sent", value: date ?? "nothing" },
    { label: "The bank's clock", value: now.toUTCString() },
    { label: "Difference", value: Number.isNaN(sent) ? "unknown" : `${seconds} s` },
    { label: "Allowed", value: `${dateSkewSeconds} s` },
    ...(seconds < -dateSkewSeconds ? [EXPLAINED_LATE] : []),
  ];
  return (await judged("Date", facts, () => checkDate(date, now, dateSkewSeconds))).step;
}

export async function coveredStep(
  signature: SignatureHeader | undefined,
  headers: Headers,
): Promise<Step> {
  const title = "Covered headers";
  if (signature === undefined) return notJudged(title, NO_HEADER);
  const { signedHeaders } = signature;
  const facts = coveredFacts(signedHeaders, headers);
  return (await judged(title, facts, () => checkCoveredHeaders(signedHeaders, headers))).step;
}

/** `qwac` is for whoever took the client certificate's serial number. */
export async function keyIdStep(
  signature: SignatureHeader | undefined,
  seal: Certificate | undefined,
  qwac: Certificate | undefined,
): Promise<Step> {
  const title = "keyId";
  if (signature === undefined) return notJudged(title, NO_HEADER);
  const sent = { label: "Sent", value: signature.keyId };
  if (seal === undefined) return notJudged(title, NO_SEAL, [sent]);
  const issuer = seal.x509.issuer.split("\n").reverse().join(",");
  const own = `SN=${seal.serialNumber.toString(16).toUpperCase()},CA=${issuer}`;
  const facts = [sent, { label: "The certificate is", value: own }];
  return (await judged(title, facts, () => checkKeyId(signature.keyId, seal, qwac))).step;
}

/** What was signed, exactly, and whether the seal's key has signed it. */
export async function verifiesStep(
  signature: SignatureHeader | undefined,
  seal: Certificate | undefined,
  { request, body }: { readonly request: Request; readonly body: Uint8Array },
): Promise<Step> {
  const title = "Signature over the signing string";
  if (signature === undefined) return notJudged(title, NO_HEADER);
  const { algorithm, signedHeaders } = signature;
  const isThere = (name: string) => name.startsWith("(") || request.headers.has(name);
  if (!signedHeaders.every(isThere)) {
    return notJudged(title, "A header that it covers is not in the request.");
  }
  const wasHidden = (name: string) => !name.startsWith("(") && isHidden(request.headers.get(name));
  if (signedHeaders.some(wasHidden)) {
    return notJudged(title, "It covers a header whose value is hidden: paste it once more.");
  }
  const signed = signingString(signedHeaders, request);
  const facts: readonly Fact[] = [
    { label: "Algorithm", value: algorithmShown(algorithm) },
    { label: "Signing string", value: visible(signed), block: true },
  ];
  if (seal === undefined) return notJudged(title, NO_SEAL, facts);
  const sent = { algorithm, signature: signature.signature, signed };
  const likely = likelyTexts({ signedHeaders, request, body });
  return (await judged(title, facts, () => checkVerifies(sent, seal, likely))).step;
}

function algorithmShown(algorithm: string): string {
  const meant = algorithmMeant(algorithm);
  return meant === algorithm ? algorithm : `${algorithm}, read as ${meant}`;
}

/** Each line end of the signing string is one LF; the last line has none. */
function visible(signed: Uint8Array): string {
  return withoutSecrets(asPasted(Buffer.from(signed).toString("latin1")))
    .split("\n")
    .join("↵\n");
}
