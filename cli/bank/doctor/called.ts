import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import net from "node:net";
import tls from "node:tls";
import { Agent, request } from "undici";
import * as z from "zod";
import { type Settings, withStaffProvider } from "@/lib/config";
import { coreBankTls, probeCoreBank } from "@/lib/core-bank/connect";
import { jsonIn } from "@/lib/json";
import { clientAlgorithm } from "@/lib/secrets";
import { systemClock } from "@/lib/system-clock";
import { type Check, codeOf, type Finding, fail, ok, reasonOf, warn } from "./check";
import { certificatesIn, lifeOf } from "./installed";

/** Whom Drawbridge calls: the core bank, the identity provider, the SMS gateway. */
export function calledChecks(settings: Settings, now: Date): readonly Check[] {
  const { CORE_BANK_URL, IDP_ISSUER, SMS_GATEWAY_URL: gateway } = settings;
  const ofConsole = withStaffProvider(settings);
  // No staff confirm anything in an app.
  const staff = ofConsole && { ...ofConsole, PSU_SCA: [] };
  const { BANK_API_JWKS_URL: keys, WEBHOOKS_URL: receiver } = settings;
  const checks: (Check | undefined)[] = [
    { what: "core bank", find: () => coreBank(settings, now) },
    IDP_ISSUER === undefined
      ? undefined
      : {
          what: "identity provider",
          find: (signal) => identityProvider({ ...settings, IDP_ISSUER }, signal),
        },
    staff && {
      what: "staff provider",
      find: async (signal) => (await identityProvider(staff, signal)).map(ofStaff),
    },
    gateway === undefined
      ? undefined
      : {
          what: "SMS gateway",
          find: (signal) => connection("SMS_GATEWAY_URL", gateway, { signal }),
        },
    keys === undefined
      ? undefined
      : { what: "bank API keys", find: (signal) => bankApiKeys(keys, settings, signal) },
    receiver === undefined
      ? undefined
      : { what: "webhooks", find: (signal) => webhookReceiver(receiver, settings, signal) },
    CORE_BANK_URL === undefined && IDP_ISSUER === undefined
      ? undefined
      : { what: "clock", find: (signal) => clock(settings, signal) },
  ];
  return checks.filter((check) => check !== undefined);
}

/** What is wrong with the provider of the bank's staff is in settings of their own. */
function ofStaff({ what, sentence, ...finding }: Finding): Finding {
  // There is one acr for all that staff do.
  const named = sentence
    .replace(/IDP_ACR_LOGIN, _SCA$/, "IDP_ACR")
    .replaceAll(/\bIDP_/g, "STAFF_IDP_");
  return { ...finding, sentence: named, ...(what !== undefined && { what: `staff ${what}` }) };
}

async function coreBank(settings: Settings, now: Date): Promise<readonly Finding[]> {
  const { CORE_BANK_URL: url, CORE_BANK_TLS_CERT: file } = settings;
  if (url === undefined) return [ok("the embedded ledger, a demonstration bank")];
  const life = file === undefined ? undefined : await clientCertificate(file, now);
  let probe: ReturnType<typeof probeCoreBank>;
  try {
    probe = probeCoreBank(url, settings);
  } catch (error) {
    return [fail(`${reasonOf(error)}: look at CORE_BANK_TLS_CERT, _KEY and _CA`)];
  }
  const { isReachable, close } = probe;
  try {
    if (!(await isReachable())) {
      return [fail(`${url} knows a payment that was never made: it breaks the contract`)];
    }
    const how = file === undefined ? "without a client certificate" : "with mutual TLS";
    const answered = `answers by the contract, ${how}`;
    const plain = settings.SANDBOX || file !== undefined;
    const own = plain ? ok(answered) : warn(`${answered}: name one in CORE_BANK_TLS_CERT`);
    return life === undefined ? [own] : [own, life];
  } catch (error) {
    const reason = reasonOf(error);
    return [fail(`${url}: ${reason}: ${remedyOf(error, "CORE_BANK_TLS_CA", coreBankRemedy)}`)];
  } finally {
    await close();
  }
}

async function clientCertificate(file: string, now: Date): Promise<Finding> {
  const what = "core bank TLS";
  const [own] = certificatesIn(await readFile(file, "utf8"));
  if (own === undefined) return fail("CORE_BANK_TLS_CERT holds no PEM certificate", what);
  return { ...lifeOf(own, now, "our client certificate"), what };
}

const coreBankRemedy = (reason: string) =>
  reason.startsWith("HTTP 401")
    ? "it has not accepted CORE_BANK_TOKEN or our client certificate"
    : "look at CORE_BANK_URL, and run npm run bank -- core-bank check";

/** For what went wrong on the way to somebody; `ca` is the setting that names whom we believe. */
function remedyOf(error: unknown, ca: string, otherwise: (reason: string) => string): string {
  const code = codeOf(error) ?? "none";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "its certificate is for another host, so call it by a name that it has";
  }
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    return "it has to renew its certificate, unless our clock is wrong";
  }
  if (/^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT)_/.test(code)) {
    return `its certificate is not believed, so name its authority in ${ca}`;
  }
  if (/^ERR_SSL|^ERR_TLS|^EPROTO/.test(code)) return "TLS failed: look at certificates and names";
  if (/^E(CONN|NOTFOUND|AI_AGAIN|HOST|NET|TIMEDOUT)|TIMEOUT/.test(code)) {
    return "nobody answers there: look at address, firewall and DNS";
  }
  return otherwise(reasonOf(error));
}

const texts = z.array(z.string()).optional();
/** OpenID Connect Discovery 3, RFC 8414 2, RFC 9126 5, RFC 9207 3, OpenID CIBA 4. */
const metadata = z.looseObject({
  issuer: z.string(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: texts,
  code_challenge_methods_supported: texts,
  pushed_authorization_request_endpoint: z.string().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  backchannel_authentication_endpoint: z.string().optional(),
  backchannel_token_delivery_modes_supported: texts,
  acr_values_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  token_endpoint_auth_signing_alg_values_supported: texts,
});
type Metadata = z.infer<typeof metadata>;
const keySet = z.object({
  keys: z.array(
    z.looseObject({ kty: z.string(), use: z.string().optional(), alg: z.string().optional() }),
  ),
});

type WithProvider = Settings & { readonly IDP_ISSUER: string };

async function identityProvider(
  settings: WithProvider,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { IDP_ISSUER: issuer, IDP_CA } = settings;
  const connect = IDP_CA === undefined ? {} : { ca: await readFile(IDP_CA, "utf8") };
  const read = async <Shape extends z.ZodType>(shape: Shape, url: string) => {
    const { status, body } = await get(url, connect, signal);
    if (status !== 200) throw new Error(`HTTP ${status} at ${url}`);
    const parsed = shape.safeParse(body);
    const [issue] = parsed.error?.issues ?? [];
    if (parsed.success) return parsed.data;
    throw new Error(`${url}: ${issue?.path.join(".") ?? "the answer"}: ${issue?.message}`);
  };
  let found: Metadata;
  try {
    found = await read(metadata, discoveryOf(issuer));
  } catch (error) {
    const remedy = remedyOf(error, "IDP_CA", () => "look at IDP_ISSUER");
    return [fail(`${reasonOf(error)}: ${remedy}`)];
  }
  if (found.issuer !== issuer) {
    return [
      fail(`calls itself ${found.issuer}: IDP_ISSUER has to be that, character by character`),
    ];
  }
  const keys = await read(keySet, found.jwks_uri).then(
    (set) => signingKeys(settings, set),
    (error: unknown) => fail(`cannot be read: ${reasonOf(error)}`, "provider keys"),
  );
  return [
    ok(`${issuer}, discovery and issuer are equal`),
    keys,
    ...offered(settings, found),
    await clientAuthentication(settings, found),
    ...(settings.PSU_SCA.includes("ciba") ? [ciba(settings, found)] : []),
    ...acr(settings, found),
  ];
}

function discoveryOf(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

function signingKeys(
  { IDP_SIGNING_ALG: alg }: Settings,
  { keys }: z.infer<typeof keySet>,
): Finding {
  const what = "provider keys";
  const kty = alg === "ES256" ? "EC" : "RSA";
  const fit = keys.filter(
    (key) => key.kty === kty && (key.use ?? "sig") === "sig" && (key.alg ?? alg) === alg,
  );
  return fit.length > 0
    ? ok(`${fit.length} for ${alg}`, what)
    : fail(`none for ${alg}: set IDP_SIGNING_ALG to what it signs ID tokens with`, what);
}

/** Of what every round needs. */
function offered({ IDP_SIGNING_ALG: alg }: Settings, found: Metadata): readonly Finding[] {
  const algorithms = found.id_token_signing_alg_values_supported;
  const methods = found.code_challenge_methods_supported;
  return [
    algorithms?.includes(alg) === true
      ? ok(alg, "ID token algorithm")
      : fail(
          `${alg} is not among ${listed(algorithms)}: set IDP_SIGNING_ALG to one that is`,
          "ID token algorithm",
        ),
    methods?.includes("S256") === true
      ? ok("S256", "PKCE")
      : methods === undefined
        ? warn("the provider does not say whether it takes S256: make sure that it does", "PKCE")
        : fail("the provider does not take S256: switch it on for this client", "PKCE"),
    found.pushed_authorization_request_endpoint === undefined
      ? warn("not offered, so requests go through the browser: switch it on (RFC 9126)", "PAR")
      : ok("requests are pushed", "PAR"),
    found.authorization_response_iss_parameter_supported === true
      ? ok("sent with each answer", "iss parameter")
      : warn("not sent with answers: switch it on (RFC 9207)", "iss parameter"),
  ];
}

async function clientAuthentication(settings: Settings, found: Metadata): Promise<Finding> {
  const what = "client authentication";
  const { IDP_CLIENT_KEY: file } = settings;
  const method = file === undefined ? "client_secret_basic" : "private_key_jwt";
  // OpenID Connect Discovery 3: without a list it is this one.
  const methods = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  if (!methods.includes(method)) {
    const other = file === undefined ? "IDP_CLIENT_KEY" : "IDP_CLIENT_SECRET alone";
    return fail(`${method} is not among ${listed(methods)}: offer it, or set ${other}`, what);
  }
  if (file === undefined) return ok(method, what);
  try {
    const alg = clientAlgorithm(createPrivateKey(await readFile(file, "utf8")));
    const algorithms = found.token_endpoint_auth_signing_alg_values_supported;
    return algorithms?.includes(alg) === false
      ? fail(`${alg} of IDP_CLIENT_KEY is not among ${listed(algorithms)}: use another key`, what)
      : ok(`${method} with ${alg}`, what);
  } catch (error) {
    return fail(`IDP_CLIENT_KEY holds no private key that fits (${reasonOf(error)})`, what);
  }
}

function ciba({ IDP_CIBA: mode }: Settings, found: Metadata): Finding {
  const what = "CIBA";
  if (found.backchannel_authentication_endpoint === undefined) {
    return fail("not offered: switch it on, or take ciba out of PSU_SCA", what);
  }
  const modes = found.backchannel_token_delivery_modes_supported;
  return modes?.includes(mode) === true
    ? ok(mode, what)
    : fail(`${mode} is not among ${listed(modes)}: set IDP_CIBA to one that is`, what);
}

function acr(settings: Settings, found: Metadata): readonly Finding[] {
  const { IDP_ACR_LOGIN, IDP_ACR_SCA, PSU_SCA } = settings;
  const what = "acr values";
  const wanted = [...new Set([IDP_ACR_LOGIN, IDP_ACR_SCA])].filter((value) => value !== undefined);
  const known = found.acr_values_supported;
  const unknown = wanted.filter((value) => known?.includes(value) === false);
  if (unknown.length > 0) {
    return [
      fail(`${unknown.join(", ")} not among ${listed(known)}: see IDP_ACR_LOGIN, _SCA`, what),
    ];
  }
  if (IDP_ACR_SCA === undefined && PSU_SCA.some((one) => one === "ciba" || one === "oidc")) {
    return [warn("no proof of both elements is asked for: set IDP_ACR_SCA", what)];
  }
  if (wanted.length === 0) return [];
  return known === undefined
    ? [warn(`the provider does not say whether it knows ${wanted.join(", ")}: try it`, what)]
    : [ok(wanted.join(", "), what)];
}

function listed(values: readonly string[] | undefined): string {
  return values === undefined || values.length === 0
    ? "what it names (nothing)"
    : values.join(", ");
}

/** A handshake and no more: whatever is posted would be a text to somebody. */
const bankApiKeys = async (url: string, settings: Settings, signal: AbortSignal) =>
  connection("BANK_API_JWKS_URL", url, {
    signal,
    ...(await authority("BANK_API_JWKS_CA", settings)),
  });
const webhookReceiver = async (url: string, settings: Settings, signal: AbortSignal) =>
  connection("WEBHOOKS_URL", url, { signal, ...(await authority("WEBHOOKS_CA", settings)) });

async function authority(setting: "BANK_API_JWKS_CA" | "WEBHOOKS_CA", settings: Settings) {
  const file = settings[setting];
  return file === undefined ? {} : { ca: await readFile(file, "utf8"), caSetting: setting };
}

type Connecting = {
  readonly signal: AbortSignal;
  readonly ca?: string;
  readonly caSetting?: string;
};

/** Nothing is sent: a gateway would text somebody, and a receiver be told what has not happened. */
async function connection(
  setting: string,
  url: string,
  { signal, ca, caSetting = "NODE_EXTRA_CA_CERTS" }: Connecting,
): Promise<readonly Finding[]> {
  const { protocol, hostname, port, host } = new URL(url);
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const secure = protocol === "https:";
  const at = { host: address, port: Number(port) || (secure ? 443 : 80) };
  const name = net.isIP(address) === 0 ? { servername: address } : {};
  const believed = ca === undefined ? {} : { ca };
  const socket = secure ? tls.connect({ ...at, ...name, ...believed }) : net.connect(at);
  try {
    await once(socket, secure ? "secureConnect" : "connect", { signal });
    return [ok(secure ? `${host}, TLS is set up` : `${host} takes connections, without TLS`)];
  } catch (error) {
    const remedy = remedyOf(error, caSetting, () => `look at ${setting}`);
    return [fail(`${host}: ${reasonOf(error)}: ${remedy}`)];
  } finally {
    socket.destroy();
  }
}

const SKEW_WARN_SECONDS = 2;
const SKEW_FAIL_SECONDS = 30;

/** Against the first to answer, core bank or provider, in whole seconds as their header is. */
async function clock(settings: Settings, signal: AbortSignal): Promise<readonly Finding[]> {
  const { CORE_BANK_URL, IDP_ISSUER, IDP_CA } = settings;
  const ofProvider = async () =>
    IDP_CA === undefined ? {} : { ca: await readFile(IDP_CA, "utf8") };
  const sources = [
    CORE_BANK_URL && {
      who: "the core bank",
      url: CORE_BANK_URL,
      pems: async () => coreBankTls(settings),
    },
    IDP_ISSUER && {
      who: "the identity provider",
      url: discoveryOf(IDP_ISSUER),
      pems: ofProvider,
    },
  ].filter((source) => typeof source === "object");
  for (const { who, url, pems } of sources) {
    const before = (await systemClock.now()).getTime();
    // Why it has not answered is said in its own line.
    const asked = pems().then((own) => get(url, own, soon(signal)));
    const answer = await asked.catch(() => undefined);
    const after = (await systemClock.now()).getTime();
    const theirs = Date.parse(answer?.date ?? "none");
    if (Number.isNaN(theirs)) continue;
    // Theirs was anywhere in this second, and anywhere between question and answer.
    const seconds = Math.max(0, theirs - after, before - (theirs + 1_000)) / 1_000;
    const said = `${Math.round(seconds)} s from ${who}'s`;
    if (seconds > SKEW_FAIL_SECONDS) return [fail(`${said}: set up NTP on both`)];
    return [seconds > SKEW_WARN_SECONDS ? warn(`${said}: set up NTP on both`) : ok(said)];
  }
  return [warn("not compared: nobody has answered with a Date")];
}

/** So that the second one is asked while there is time. */
function soon(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS_MAX)]);
}

const BODY_BYTES_MAX = 1_048_576;
const CONNECT_MS_MAX = 3_000;

type Pems = { readonly cert?: string; readonly key?: string; readonly ca?: string };

/** What was answered; without a body where that is no JSON. */
async function get(url: string, connect: Pems, signal: AbortSignal) {
  const dispatcher = new Agent({
    connect: { ...connect, timeout: CONNECT_MS_MAX },
    maxResponseSize: BODY_BYTES_MAX,
  });
  try {
    const { statusCode, headers, body } = await request(url, {
      ...{ dispatcher, signal, headers: { accept: "application/json" } },
    });
    const text = await body.text();
    const date = typeof headers["date"] === "string" ? headers["date"] : undefined;
    return { status: statusCode, date, body: jsonIn(text) };
  } finally {
    await dispatcher.destroy();
  }
}
