import { reject } from "@/lib/domain/rejection";
import type { Qwac } from "@/lib/eidas/qwac";
import { headerFault } from "@/lib/server/request-headers";
import { checkMediaTypes } from "@/lib/xs2a/media-types";
import { readBody } from "@/lib/xs2a/read-body";
import { checkRequestId } from "@/lib/xs2a/request-id";
import { parseSignatureHeader, type SignatureHeader } from "@/lib/xs2a/signature/signature-header";
import { verifySignature } from "@/lib/xs2a/verify-signature";
import { clientSteps } from "./client-steps";
import type { Means, Presented } from "./means";
import { headerOf, type RawRequest } from "./raw-request";
import { roleForPath } from "./role-for-path";
import { sealRevocationStep, sealStep } from "./seal-steps";
import { coveredStep, dateStep, digestStep, keyIdStep, verifiesStep } from "./signature-steps";
import { type Judged, judged, notJudged, type Step } from "./step";
import { withoutSecrets } from "./without-secrets";

/**
 * What the server sees in a request, check by check in its order and by its own functions. It answers
 * at the first that fails; here the walk goes on, so that what is wrong after it shows as well. What
 * only an endpoint knows (its headers, token, query and body) is not looked at.
 */
export async function explain(presented: Presented, means: Means): Promise<readonly Step[]> {
  const { request } = presented;
  const web = asWebRequest(request);
  const line = await requestStep(request);
  if (web === undefined) return [line, notJudged("The rest", "It is no HTTP request.")];
  const client = await clientSteps(presented, means);
  const service = roleForPath(request.target);
  const steps = [line, ...client.steps];
  if (service === undefined) {
    const because = "Only requests to a service below /open-banking/v3.1 are signed.";
    return [...steps, notJudged("Signature", because)];
  }
  const signed = await signedSteps(request, web, client.claimed, means);
  return [...steps, ...signed];
}

async function requestStep(request: RawRequest): Promise<Step> {
  const facts = [
    { label: "Method", value: request.method },
    { label: "Path", value: withoutSecrets(request.target) },
    { label: "Headers", value: request.headers.map(([name]) => name).join(", ") || "none" },
    { label: "Bytes of the body", value: bodyBytes(request) },
  ];
  const fault = headerFault({ rawHeaders: request.headers.flat() });
  return (
    await judged("Request", facts, () => {
      if (fault !== undefined) throw reject("FORMAT_ERROR", fault);
    })
  ).step;
}

/** A body that was formatted on the way to here has other bytes than the one that was signed. */
function bodyBytes(request: RawRequest): string {
  const [bytes, length] = [request.body.byteLength, headerOf(request, "content-length")];
  const said = length === undefined || Number(length) === bytes;
  return said ? String(bytes) : `${bytes}, where Content-Length says ${length}`;
}

async function signedSteps(
  request: RawRequest,
  web: Request,
  claimed: Qwac | undefined,
  means: Means,
): Promise<readonly Step[]> {
  const { body } = request;
  const { headers } = web;
  const hard = roleForPath(request.target) === "PSP_PI";
  const id = { label: "Sent", value: headers.get("x-request-id") ?? "nothing" };
  const certificate = headers.get("tpp-signature-certificate") ?? undefined;
  const { step, believed, seal } = await sealStep(certificate, claimed, means);
  const header = await signatureStep(web, body, claimed, means);
  // That there is no signature is said before the seal is looked at, what is wrong with one after it.
  const inOrder = headers.has("signature") ? [step, header.step] : [header.step, step];
  const { value: signature } = header;
  return [
    (await judged("X-Request-ID", [id], () => checkRequestId(headers))).step,
    await bodyStep(body, means),
    ...inOrder,
    await digestStep(headers.get("digest"), body),
    await dateStep(headers.get("date"), means),
    await coveredStep(signature, headers),
    await keyIdStep(signature, seal, claimed?.certificate),
    await verifiesStep(signature, seal, { request: web, body }),
    await sealRevocationStep(believed, hard, means),
    (await judged("Media types", [], () => checkMediaTypes(headers, body))).step,
  ];
}

async function signatureStep(
  web: Request,
  body: Uint8Array,
  claimed: Qwac | undefined,
  means: Means,
): Promise<Judged<SignatureHeader>> {
  const title = "Signature header";
  const header = web.headers.get("signature");
  if (header !== null) {
    return judged(title, [{ label: "Sent", value: header }], () => parseSignatureHeader(header));
  }
  const sent = [{ label: "Sent", value: "nothing" }];
  if (claimed === undefined) {
    return { step: notJudged(title, "There is none.", sent), value: undefined };
  }
  // Without the header it ends there, with the server's own words.
  const { step } = await judged(title, sent, () =>
    verifySignature(web, body, claimed, means, means.now),
  );
  return { step, value: undefined };
}

async function bodyStep(body: Uint8Array, { profile }: Means): Promise<Step> {
  const { bodyBytesMax } = profile.request;
  const facts = [
    { label: "Bytes", value: String(body.byteLength) },
    { label: "Allowed", value: String(bodyBytesMax) },
  ];
  const carrying = new Request("https://bank.example/", {
    method: "POST",
    body: Buffer.from(body),
  });
  return (await judged("Body", facts, () => readBody(carrying, bodyBytesMax))).step;
}

/** Undefined for what no client could send, like the method CONNECT. */
function asWebRequest({ method, target, headers }: RawRequest): Request | undefined {
  try {
    const sent = headers.map(([name, value]): [string, string] => [name, value]);
    return new Request(new URL(target, "https://bank.example"), { method, headers: sent });
  } catch {
    return undefined;
  }
}
