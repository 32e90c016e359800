import { createHash } from "node:crypto";
import { reject } from "@/lib/domain/errors";
import { checkNotBlocked } from "@/lib/domain/request-context";
import type { Psd2Role } from "@/lib/domain/tpp";
import { type Certificate, openCertificate, readCertificate } from "@/lib/eidas/certificate";
import { unlessFaulty } from "@/lib/eidas/certificate-fault";
import { parseClientCert, presentedQwac } from "@/lib/eidas/client-certificate";
import {
  checkQseal,
  checkQwac,
  checkRole,
  type Qwac,
  readSignatureCertificate,
  tppIdentity,
} from "@/lib/eidas/qwac-qsealc";
import { checkNotRevoked } from "@/lib/eidas/revocation";
import { typeNames } from "@/lib/eidas/trust";
import { headerFault } from "@/lib/server/http";
import { checkMediaTypes, checkRequestId, readBody } from "@/lib/xs2a/read-request";
import {
  algorithmMeant,
  checkCoveredHeaders,
  checkDate,
  checkDigest,
  checkVerifies,
  headersToCover,
  verifySignature,
} from "@/lib/xs2a/signature";
import { likelyTexts } from "@/lib/xs2a/signature-diagnosis";
import {
  checkKeyId,
  parseSignatureHeader,
  type SignatureHeader,
  signingString,
} from "@/lib/xs2a/signature-header";
import type { Presented, WorkshopContext } from "./context";
import { asPasted, headerOf, isHidden, type RawRequest, withoutSecrets } from "./raw-request";
import { type Checked, checked, type Fact, notChecked, type Step } from "./step";

/**
 * What the server sees in a request, check by check in its order and with its own functions. The server
 * stops at the first that fails; the explanation continues, so that further faults are shown as well. What
 * only an endpoint knows (its headers, token, query and body) is not checked.
 */
export async function explain(
  presented: Presented,
  means: WorkshopContext,
): Promise<readonly Step[]> {
  const { request } = presented;
  const web = asWebRequest(request);
  const line = await requestStep(request);
  if (web === undefined) return [line, notChecked("The rest", "It is no HTTP request.")];
  const client = await clientSteps(presented, means);
  const service = roleForPath(request.target);
  const steps = [line, ...client.steps];
  if (service === undefined) {
    const because = "Only requests to a service below /open-banking are signed.";
    return [...steps, notChecked("Signature", because)];
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
  const check = () => {
    if (fault !== undefined) throw reject("FORMAT_ERROR", fault);
  };
  return (await checked("Request", facts, check)).step;
}

/** A body that was reformatted when it was copied has other bytes than the one that was signed. */
function bodyBytes(request: RawRequest): string {
  const [bytes, length] = [request.body.byteLength, headerOf(request, "content-length")];
  const said = length === undefined || Number(length) === bytes;
  return said ? String(bytes) : `${bytes}, where Content-Length says ${length}`;
}

async function signedSteps(
  request: RawRequest,
  web: Request,
  claimed: Qwac | undefined,
  means: WorkshopContext,
): Promise<readonly Step[]> {
  const { body } = request;
  const { headers } = web;
  const id = { label: "Sent", value: headers.get("x-request-id") ?? "nothing" };
  const certificate = headers.get("tpp-signature-certificate") ?? undefined;
  const der =
    certificate === undefined
      ? undefined
      : unlessFaulty(() => readSignatureCertificate(certificate));
  const seal = der && unlessFaulty(() => readCertificate(der));
  const { step, value: believed } = await sealStep(certificate, der, claimed, means);
  const header = await signatureStep(web, body, claimed, means);
  // A missing signature is reported before the seal is checked, an invalid one after it.
  const inOrder = headers.has("signature") ? [step, header.step] : [header.step, step];
  const { value: signature } = header;
  return [
    (await checked("X-Request-ID", [id], () => checkRequestId(headers))).step,
    await bodyStep(body, means),
    ...inOrder,
    await digestStep(headers.get("digest"), body),
    await dateStep(headers.get("date"), means),
    await coveredStep(signature, headers),
    await keyIdStep(signature, seal, claimed?.certificate),
    await verifiesStep(signature, seal, { request: web, body }),
    await revocationStep(
      "Revocation of the seal certificate",
      { certificate: believed, hard: isHard(request), path: "TPP-Signature-Certificate" },
      means,
    ),
    (await checked("Media types", [], () => checkMediaTypes(headers, body))).step,
  ];
}

async function signatureStep(
  web: Request,
  body: Uint8Array,
  claimed: Qwac | undefined,
  means: WorkshopContext,
): Promise<Checked<SignatureHeader>> {
  const title = "Signature header";
  const header = web.headers.get("signature");
  if (header !== null) {
    return checked(title, [{ label: "Sent", value: header }], () => parseSignatureHeader(header));
  }
  const sent = [{ label: "Sent", value: "nothing" }];
  if (claimed === undefined) {
    return { step: notChecked(title, "There is none.", sent), value: undefined };
  }
  // Without the header it ends there, with the server's own words.
  const { step } = await checked(title, sent, () =>
    verifySignature(web, body, claimed, means, means.now),
  );
  return { step, value: undefined };
}

async function bodyStep(body: Uint8Array, { profile }: WorkshopContext): Promise<Step> {
  const { bodyBytesMax } = profile.request;
  const facts = [
    { label: "Bytes", value: String(body.byteLength) },
    { label: "Allowed", value: String(bodyBytesMax) },
  ];
  const carrying = new Request("https://bank.example/", {
    method: "POST",
    body: Buffer.from(body),
  });
  return (await checked("Body", facts, () => readBody(carrying, bodyBytesMax))).step;
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

type ClientSteps = {
  readonly steps: readonly Step[];
  /** Whose request it says it is, believed or not; undefined when the certificate does not say. */
  readonly claimed: Qwac | undefined;
};

/** The TLS client certificate: the QWAC, whether it is revoked, its TPP blocked, and the role the path is open to. */
async function clientSteps(presented: Presented, means: WorkshopContext): Promise<ClientSteps> {
  const { request } = presented;
  const header = headerOf(request, "client-cert");
  const der = header === undefined ? presented.qwac : parseClientCert(header);
  const { trustAnchors, now } = means;
  const { step, value } = await checked("Client certificate (QWAC)", clientFacts(der, now), () =>
    header === undefined
      ? checkQwac(der, trustAnchors, now)
      : presentedQwac(header, trustAnchors, now),
  );
  const claimed = value ?? (der && claimedBy(der));
  return {
    steps: [
      step,
      await revocationStep(
        "Revocation of the client certificate",
        { certificate: value?.certificate, hard: isHard(request) },
        means,
      ),
      await stopListStep(value, means),
      await role(claimed, request.target),
    ],
    claimed,
  };
}

function clientFacts(der: Uint8Array | undefined, now: Date): readonly Fact[] {
  const clock = { label: "The bank's clock", value: now.toISOString() };
  if (der !== undefined) return [...certificateFacts(der), clock];
  // Of a request that was copied from a log the certificate stays behind, on its connection.
  const none = "none, neither in the header Client-Cert nor beside the request";
  return [{ label: "Certificate", value: none }, clock];
}

/** A payment is refused where nobody can tell whether the certificate is revoked. */
function isHard({ target }: RawRequest): boolean {
  return roleForPath(target) === "PSP_PI";
}

type RevocationAsked = Omit<Parameters<typeof checkNotRevoked>[1], "certificate" | "now"> & {
  readonly certificate: Certificate | undefined;
};

async function revocationStep(
  title: string,
  { certificate, ...asked }: RevocationAsked,
  means: WorkshopContext,
): Promise<Step> {
  if (certificate === undefined) {
    return notChecked(title, "Only a trusted certificate's issuer is asked.");
  }
  const check = () => checkNotRevoked(means, { ...asked, certificate, now: means.now });
  return (await checked(title, [], check)).step;
}

/** An unknown caller's certificate is not looked up: the page must not show which TPPs are blocked. */
async function stopListStep(
  qwac: Qwac | undefined,
  { stopList, now }: WorkshopContext,
): Promise<Step> {
  const title = "Stop list of the bank";
  if (qwac === undefined)
    return notChecked(title, "Only the TPP of a trusted certificate is looked up.");
  if (stopList === undefined) return notChecked(title, "Only the bank knows whom it has blocked.");
  return (await checked(title, [], () => checkNotBlocked({ stopList }, qwac.tpp.id, now))).step;
}

async function role(claimed: Qwac | undefined, target: string): Promise<Step> {
  const title = "PSD2 role";
  const wanted = roleForPath(target);
  const facts = [
    { label: "Path", value: withoutSecrets(target) },
    { label: "Open to", value: wanted ?? "no service is known at this path" },
  ];
  if (wanted === undefined) return notChecked(title, "No role belongs to this path.", facts);
  if (claimed === undefined) {
    return notChecked(title, "The client certificate tells no roles.", facts);
  }
  const roles = { label: "The certificate has", value: claimed.tpp.roles.join(", ") };
  if (wanted === "any") return (await checked(title, [...facts, roles], () => undefined)).step;
  return (await checked(title, [...facts, roles], () => checkRole(claimed.tpp, wanted))).step;
}

/** The header TPP-Signature-Certificate, held against the QWAC of the connection. */
async function sealStep(
  header: string | undefined,
  der: Uint8Array | undefined,
  claimed: Qwac | undefined,
  { trustAnchors, now }: WorkshopContext,
): Promise<Checked<Certificate>> {
  const title = "Seal certificate (QSealC)";
  const facts = der === undefined ? [] : certificateFacts(der);
  // Without a QWAC that says whose it is, the seal is held against itself.
  const against = claimed ?? (der && claimedBy(der));
  if (against === undefined) {
    const because = "Neither certificate says whose it is.";
    return { step: notChecked(title, because, facts), value: undefined };
  }
  const organisation = claimed?.tpp.id ?? "not known, so the two are not compared";
  const whose = [...facts, { label: "Organisation of the QWAC", value: organisation }];
  return checked(title, whose, () => checkQseal(header, against, trustAnchors, now));
}

/** The time of a request that was kept for a while has gone by. */
const EXPLAINED_LATE: Fact = {
  label: "If it was sent then",
  value: "say when it arrived, and it is judged by that time",
};
const NO_HEADER = "The Signature header could not be read.";
const NO_SEAL = "The seal certificate could not be read.";

async function digestStep(digest: string | null, body: Uint8Array): Promise<Step> {
  const algorithm = /\bsha-512=/i.test(digest ?? "none") ? "SHA-512" : "SHA-256";
  const hash = createHash(algorithm.replace("-", "").toLowerCase()).update(body);
  const facts = [
    { label: "Sent", value: digest ?? "nothing" },
    { label: "Expected", value: `${algorithm}=${hash.digest("base64")}` },
    { label: "Bytes of the body", value: String(body.byteLength) },
  ];
  return (await checked("Digest", facts, () => checkDigest(digest, body))).step;
}

async function dateStep(date: string | null, { now, profile }: WorkshopContext): Promise<Step> {
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
  return (await checked("Date", facts, () => checkDate(date, now, dateSkewSeconds))).step;
}

async function coveredStep(
  signature: SignatureHeader | undefined,
  headers: Headers,
): Promise<Step> {
  const title = "Covered headers";
  if (signature === undefined) return notChecked(title, NO_HEADER);
  const { signedHeaders } = signature;
  const facts = coveredFacts(signedHeaders, headers);
  return (await checked(title, facts, () => checkCoveredHeaders(signedHeaders, headers))).step;
}

/** `qwac` detects a keyId with the client certificate's serial number. */
async function keyIdStep(
  signature: SignatureHeader | undefined,
  seal: Certificate | undefined,
  qwac: Certificate | undefined,
): Promise<Step> {
  const title = "keyId";
  if (signature === undefined) return notChecked(title, NO_HEADER);
  const sent = { label: "Sent", value: signature.keyId };
  if (seal === undefined) return notChecked(title, NO_SEAL, [sent]);
  const issuer = seal.x509.issuer.split("\n").reverse().join(",");
  const own = `SN=${seal.serialNumber.toString(16).toUpperCase()},CA=${issuer}`;
  const facts = [sent, { label: "The certificate is", value: own }];
  return (await checked(title, facts, () => checkKeyId(signature.keyId, seal, qwac))).step;
}

/** What was signed, exactly, and whether the seal's key has signed it. */
async function verifiesStep(
  signature: SignatureHeader | undefined,
  seal: Certificate | undefined,
  { request, body }: { readonly request: Request; readonly body: Uint8Array },
): Promise<Step> {
  const title = "Signature over the signing string";
  if (signature === undefined) return notChecked(title, NO_HEADER);
  const { algorithm, signedHeaders } = signature;
  const isThere = (name: string) => name.startsWith("(") || request.headers.has(name);
  if (!signedHeaders.every(isThere)) {
    return notChecked(title, "A header that it covers is not in the request.");
  }
  const wasHidden = (name: string) => !name.startsWith("(") && isHidden(request.headers.get(name));
  if (signedHeaders.some(wasHidden)) {
    return notChecked(title, "It covers a header whose value is hidden: paste it once more.");
  }
  const signed = signingString(signedHeaders, request);
  const facts: readonly Fact[] = [
    { label: "Algorithm", value: algorithmShown(algorithm) },
    { label: "Signing string", value: visible(signed), block: true },
  ];
  if (seal === undefined) return notChecked(title, NO_SEAL, facts);
  const sent = { algorithm, signature: signature.signature, signed };
  const likely = likelyTexts({ signedHeaders, request, body });
  return (await checked(title, facts, () => checkVerifies(sent, seal, likely))).step;
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

/** Each header that the signature covers or has to cover, and whether it does. */
function coveredFacts(signed: readonly string[], headers: Headers): readonly Fact[] {
  const demanded = headersToCover(headers).toSorted();
  return [...new Set([...demanded, ...signed])].map((label) => {
    const sent = label.startsWith("(") || headers.has(label);
    const state = inWords(demanded.includes(label), signed.includes(label));
    return { label, value: sent ? state : `${state}; it is not in the request` };
  });
}

function inWords(demanded: boolean, covered: boolean): string {
  if (!demanded) return "covered, though it need not be";
  return covered ? "has to be covered, and is" : "has to be covered, and is not";
}

/** What a certificate says, trusted or not; of an unreadable one as much as can be read. */
function certificateFacts(der: Uint8Array): readonly Fact[] {
  const certificate = unlessFaulty(() => readCertificate(der));
  return certificate === undefined ? outlineOf(der) : factsOf(certificate);
}

function factsOf(certificate: Certificate): readonly Fact[] {
  const { x509, serialNumber, notBefore, notAfter, qcStatements } = certificate;
  const psd2 = qcStatements?.psd2;
  const types = qcStatements?.types.map((id) => typeNames[id] ?? id) ?? [];
  const authority = psd2 && `${psd2.authorityName} (${psd2.authorityId})`;
  return [
    { label: "Subject", value: onOneLine(x509.subject) },
    { label: "Issuer", value: onOneLine(x509.issuer) },
    { label: "Serial number", value: serialNumber.toString(16).toUpperCase() },
    { label: "Valid from", value: notBefore.toISOString() },
    { label: "Valid until", value: notAfter.toISOString() },
    { label: "QcType", value: listed(types) },
    { label: "PSD2 roles", value: listed(psd2?.roles ?? []) },
    { label: "Competent authority", value: authority ?? "none" },
    { label: "Status by OCSP at", value: listed(certificate.ocspUrls) },
    { label: "Status by CRL at", value: listed(certificate.crlUrls) },
  ];
}

function outlineOf(der: Uint8Array): readonly Fact[] {
  const x509 = unlessFaulty(() => openCertificate(der));
  if (x509 === undefined) return [{ label: "Bytes", value: String(der.byteLength) }];
  return [
    { label: "Subject", value: onOneLine(x509.subject) },
    { label: "Issuer", value: onOneLine(x509.issuer) },
    { label: "Serial number", value: x509.serialNumber },
    { label: "Valid from", value: x509.validFrom },
    { label: "Valid until", value: x509.validTo },
  ];
}

/** Node prints each part of a name on a line of its own. */
function onOneLine(name: string | undefined): string {
  return name === undefined || name === "" ? "none" : name.split("\n").join(", ");
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? "none" : values.join(", ");
}

/**
 * The TPP that a certificate names, trusted or not, so that the next checks can run. Undefined when it
 * names none.
 */
function claimedBy(der: Uint8Array): Qwac | undefined {
  return unlessFaulty(() => {
    const certificate = readCertificate(der);
    return { tpp: tppIdentity(certificate), certificate, thumbprint: certificate.thumbprint };
  });
}

const services: Readonly<Record<string, Psd2Role>> = {
  aisp: "PSP_AI",
  cbpii: "PSP_IC",
  pisp: "PSP_PI",
};

/** The role that a service is open to; undefined where there is no service (PSD2 art. 65 to 67). */
export function roleForPath(target: string): Psd2Role | "any" | undefined {
  if (target.startsWith("/open-banking/support/v1/")) return "any";
  const [, service] = /^\/open-banking\/v3\.1\/([a-z]+)\//.exec(target) ?? [];
  return service !== undefined && Object.hasOwn(services, service) ? services[service] : undefined;
}
