import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { http, text } from "@/clients/typescript/src";
import type { OpenApi } from "@/lib/xs2a/openapi/document";
import { accessOf, type Call, callsOf } from "@/lib/xs2a/openapi/reading";
import { SAMPLE_REDIRECT_URI, sampleRequest } from "@/lib/xs2a/openapi/samples";
import { readCertificates } from "../certificates";
import { demoDebtor } from "../demo-debtor";
import { xs2aUrl } from "../environment";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run tpp -- collection --certificates DIR --out DIR

Writes a Bruno collection of all calls of /openapi.json into DIR, in folders of their own. Its script signs each call with
the seal of the certificates, and keeps the ids of answers for the next calls. Of its environment consentId and accessToken
are an authorised consent and its token, fundsConsentId and fundsAccessToken those for the confirmation of funds. A folder
reads with them first; then it creates a consent, and ends that one. Bruno runs it in developer mode, which lets the script
read the key:

  npx @usebruno/cli run account-information --env sandbox --sandbox developer --cacert CERTIFICATES/ca.pem \\
    --env-var consentId=ID --env-var accessToken=TOKEN
`;

export async function run(args: readonly string[]): Promise<number> {
  const options = { certificates: { type: "string" }, out: { type: "string" } } as const;
  const { certificates, out } = parseArgs({ args: [...args], options }).values;
  if (certificates === undefined || out === undefined) {
    throw new WrongUsage("collection needs --certificates and --out");
  }
  const api = await openApi(certificates);
  const bank = new URL(xs2aUrl());
  const files: [string, string][] = [
    ["bruno.json", manifest(api.info.title, bank.host, resolve(certificates))],
    ["collection.bru", `script:pre-request {\n${indented(SIGNING)}\n}\n`],
    [
      "environments/sandbox.bru",
      environment({ xs2a: bank.origin, certificates: resolve(certificates) }),
    ],
    ...api.tags.flatMap(({ name }) =>
      inOrder(callsOf(api, name)).map((call, at): [string, string] => {
        const folder = name.toLowerCase().replaceAll(/\W+/g, "-");
        return [`${folder}/${call.operationId}.bru`, requestFile(call, at + 1, AREAS[name])];
      }),
    ),
  ];
  for (const [file, content] of files) {
    await mkdir(join(out, file, ".."), { recursive: true });
    await writeFile(join(out, file), content);
  }
  console.log(`The collection is in ${out}`);
  return 0;
}

/**
 * The sequence in which Bruno runs a folder: what the PSU has agreed to is read before another consent takes
 * its place, and what is ended is not asked for after that.
 */
function inOrder(calls: readonly Call[]): readonly Call[] {
  const hasToken = calls.some((call) => accessOf(call).token === "required");
  const rank = (call: Call) => {
    if (call.method === "delete") return 2;
    return hasToken && sampleRequest(call).headers["tpp-redirect-uri"] !== undefined ? 1 : 0;
  };
  return calls.toSorted((a, b) => rank(a) - rank(b));
}

/** The description is public, so that no certificate is shown for it. */
async function openApi(certificates: string): Promise<OpenApi> {
  const connection = http({ ca: (await readCertificates(certificates)).ca });
  try {
    const url = `${xs2aUrl()}/openapi.json`;
    const { status, body } = await connection.send({ method: "GET", url, headers: {} });
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    return JSON.parse(text(body)) as OpenApi;
  } finally {
    await connection.close();
  }
}

function manifest(name: string, domain: string, folder: string): string {
  const files = { certFilePath: join(folder, "qwac.pem"), keyFilePath: join(folder, "qwac.key") };
  const cert = { domain, type: "cert", ...files, passphrase: "" };
  const clientCertificates = { enabled: true, certs: [cert] };
  return JSON.stringify({ version: "1", name, type: "collection", clientCertificates }, null, 2);
}

function environment(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...SAMPLES, ...values }).map(
    ([name, value]) => `  ${name}: ${value}`,
  );
  return `vars {\n${lines.join("\n")}\n}\n`;
}

/** What parameters have until a call has set them; transactions are read of the last 30 days. */
const SAMPLES = {
  accessToken: "",
  accountId: "",
  authorisationId: "",
  consentId: "",
  dateFrom: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10),
  fundsAccessToken: "",
  fundsAuthorisationId: "",
  fundsConsentId: "",
  paymentAuthorisationId: "",
  paymentId: "",
  redirectUri: SAMPLE_REDIRECT_URI,
  requestId: "",
  transactionId: "",
};

/** Ids of the same name in several folders have a variable for each folder. */
const AREAS: Readonly<Record<string, string>> = {
  "Confirmation of funds": "funds",
  "Payment initiation": "payment",
};
const OF_AREA = ["ACCESS_TOKEN", "AUTHORISATION_ID", "CONSENT_ID"];

/** One call in Bruno's language; its answer sets the ids that others need. */
function requestFile(call: Call, seq: number, area: string | undefined): string {
  const accounts = { current: demoDebtor("RON"), travel: demoDebtor("EUR") };
  const { method, target, headers, body } = sampleRequest(call, accounts);
  const withVariables = (text: string) => inVariables(text, area);
  const blocks = [
    `meta {\n  name: ${call.summary}\n  type: http\n  seq: ${seq}\n}`,
    `${method.toLowerCase()} {\n  url: {{xs2a}}${withVariables(target)}\n  body: ${body ? "json" : "none"}\n  auth: none\n}`,
    `headers {\n${Object.entries(headers)
      .map(([name, value]) => `  ${name}: ${withVariables(value)}`)
      .join("\n")}\n}`,
    ...(body ? [`body:json {\n${indented(JSON.stringify(body, null, 2))}\n}`] : []),
    `script:post-response {\n${indented(keeping(area))}\n}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** CONSENT_ID as the variable that Bruno keeps, and the redirect URI as one that its user may change. */
function inVariables(text: string, area: string | undefined): string {
  if (text === SAMPLE_REDIRECT_URI) return "{{redirectUri}}";
  return text.replaceAll(/\b[A-Z]+_[A-Z]+\b/g, (word) => `{{${variable(word, area)}}}`);
}

function variable(word: string, area: string | undefined): string {
  const isOfArea = area !== undefined && OF_AREA.includes(word);
  return camelCase((isOfArea ? `${area}_${word}` : word).toLowerCase());
}

const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
const indented = (code: string) => code.trim().replaceAll(/^/gm, "  ");

/** Before each call: digest, id and date, and the signature over them with the seal. */
const SIGNING = `
const { createHash, createPrivateKey, randomUUID, sign, X509Certificate } = require("crypto");
const { readFileSync } = require("fs");
const file = (name) => readFileSync(bru.getEnvVar("certificates") + "/" + name);
const body = req.getBody();
const bytes = body === undefined || body === null ? "" : typeof body === "string" ? body : JSON.stringify(body);
if (bytes !== "") req.setBody(bytes);
req.setHeader("accept", "application/json");
req.setHeader("x-request-id", randomUUID());
req.setHeader("date", new Date().toUTCString());
req.setHeader("digest", "SHA-256=" + createHash("sha256").update(bytes).digest("base64"));
const headers = {};
for (const [name, value] of Object.entries(req.getHeaders())) headers[name.toLowerCase()] = bru.interpolate(value);
const covered = ["digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri", "tpp-nok-redirect-uri"];
const names = covered.filter((name) => headers[name] !== undefined);
const text = names.map((name) => name + ": " + headers[name]).join("\\n");
const seal = new X509Certificate(file("qseal.pem"));
const key = createPrivateKey(file("qseal.key"));
const issuer = seal.issuer.split("\\n").reverse().map((part) => part.replace(/=(.*)/, (all, value) => "=" + encodeURIComponent(value)));
const algorithm = key.asymmetricKeyType === "rsa" ? "rsa-sha256" : "ecdsa-sha256";
const signature = sign("sha256", Buffer.from(text), key).toString("base64");
req.setHeader("tpp-signature-certificate", seal.raw.toString("base64"));
req.setHeader("signature", 'keyId="SN=' + seal.serialNumber + ",CA=" + issuer.join(",") + '",algorithm="' + algorithm + '",headers="' + names.join(" ") + '",signature="' + signature + '"');
`;

/** After each call: what the next ones ask for. */
const keeping = (area: string | undefined) => `
const { consentId, paymentId, authorisationIds, accounts, transactions } = res.body ?? {};
const transactionId = transactions?.booked?.[0]?.transactionId;
if (consentId) bru.setEnvVar("${variable("CONSENT_ID", area)}", consentId);
if (paymentId) bru.setEnvVar("paymentId", paymentId);
if (authorisationIds?.length > 0) bru.setEnvVar("${variable("AUTHORISATION_ID", area)}", authorisationIds[0]);
if (accounts?.length > 0) bru.setEnvVar("accountId", accounts[0].resourceId);
if (transactionId) bru.setEnvVar("transactionId", transactionId);
if (res.status >= 400) bru.setEnvVar("requestId", res.getHeader("x-request-id"));
`;
