import path from "node:path";
import * as z from "zod";
import { everyScope, isScope, type Scope } from "./bank-api/scopes";

// What a setting may be; the error texts are for the operator.

const url = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true })
  .refine((text) => new URL(text).href === `${new URL(text).origin}/`, {
    error: "must be an origin without a path, as in https://bank.example:8443",
  })
  .transform((text) => new URL(text).origin);
const wholeNumber = (what: string, min: number, max: number) => {
  const inRange = `must be ${what} from ${min} to ${max}`;
  return z.coerce
    .number(`must be ${what}`)
    .int(`must be ${what}`)
    .min(min, inRange)
    .max(max, inRange);
};
const port = wholeNumber("a port number", 1, 65_535);
const portOrNone = wholeNumber("a port number, or 0 for none", 0, 65_535);
const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((text) => text === "true");
const seconds = wholeNumber("a whole number of seconds", 0, 300);
/** As libpq has it: several hosts in one URL, separated by commas. */
const database = z
  .string()
  .refine(isDatabaseUrl, "must be a postgres:// URL")
  .refine((text) => !/[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(text), {
    error: "target_session_attrs must be read-write or primary",
  });
const parts = z.string().transform((text) => text.split(",").map((part) => part.trim()));
const addresses = parts.pipe(
  z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "must be IP addresses")),
);
const origins = parts.pipe(z.array(url));
const means = parts.pipe(
  z
    .array(z.enum(["ciba", "oidc", "passkey", "code"], "must be of ciba, oidc, passkey and code"))
    .min(1),
);
/** Of a service that is called, with a path; its secret has a setting of its own. */
const address = (secret: string) =>
  z
    .url({ protocol: /^https?$/, error: "must be an http or https URL", abort: true })
    .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
      error: `must hold no user and password; ${secret} is the place for a secret`,
    });
/** Common names of certificates, each with its scopes: `crm=permissions:read permissions:end, app=*`. */
const clientScopes = z.string().transform((text, { addIssue }) => {
  const clients: Record<string, readonly Scope[]> = {};
  for (const entry of text.split(",")) {
    const [name, given, more] = entry.split("=").map((part) => part.trim());
    const named = given === "*" ? everyScope : given?.split(/ +/).filter(isScope);
    const isWhole = given === "*" || named?.length === given?.split(/ +/).length;
    if (
      !name ||
      !given ||
      !named ||
      !isWhole ||
      more !== undefined ||
      Object.hasOwn(clients, name)
    ) {
      addIssue("must be names with scopes, as in crm=permissions:read permissions:end, app=*");
      return z.NEVER;
    }
    clients[name] = named;
  }
  return clients;
});
/** Of Standard Webhooks. */
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
/** RFC 6750 2.1. */
const bearer = z.string().regex(/^[A-Za-z0-9\-._~+/]+=*$/, "must be a bearer token");
const secret = z.string().min(32, "must have at least 32 characters");
/** One or several, or `file:` and the path of a file with them, see lib/secrets.ts. */
const secrets = z.union([z.string().regex(/^file:./), secret], {
  error: "must have at least 32 characters, or name a file as in file:/run/secrets/session",
});
const file = z.string().min(1);
const signingAlg = z
  .enum(["RS256", "PS256", "ES256"], "must be RS256, PS256 or ES256")
  .default("RS256");

/**
 * Every setting, read once. What a sandbox can make for itself may be missing in the environment:
 * the launcher (lib/server) makes it and puts it there; outside the sandbox it is demanded.
 */
const settings = z.object({
  SANDBOX: flag.default(true),
  SANDBOX_PUBLIC: flag.default(false),
  XS2A_URL: url.optional(),
  XS2A_PORT: port.default(8443),
  WEB_URL: url.optional(),
  WEB_PORT: port.default(3000),
  /** Of the staff console, which browsers find at a host of its own; 0: it is not opened. */
  STAFF_URL: url.optional(),
  STAFF_PORT: wholeNumber("a port number", 0, 65_535).optional(),
  /** Where Prometheus finds `/metrics` of the TPP host and of the browser host; unset, nowhere. */
  XS2A_METRICS_PORT: port.optional(),
  WEB_METRICS_PORT: port.optional(),
  /** Of a collector of traces; unset, no request is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: address("OTEL_EXPORTER_OTLP_HEADERS").optional(),
  DATA_DIR: file.default(".data"),
  /** What this bank offers, docs/profile.md; unset, the demo bank's. */
  BANK_PROFILE: file.optional(),
  DATABASE_URL: database.optional(),
  /** Of a role that owns the tables, for the migrations alone; unset, DATABASE_URL's role does both. */
  MIGRATION_DATABASE_URL: database.optional(),
  /** Else by `npm run bank -- migrate`; unset, a sandbox does it. */
  MIGRATE_AT_START: flag.optional(),
  /** Of each process that answers requests, and in the browser host twice: for pages and for forms (docs/performance.md). */
  DATABASE_CONNECTIONS: wholeNumber("a whole number of connections", 2, 100).default(4),
  /** Of one TPP, over all servers, which have the same; unset, the profile's. */
  TPP_REQUESTS_PER_MINUTE: wholeNumber("a whole number of requests", 1, 100_000_000).optional(),
  /** Processes of each host that answer requests. */
  WORKERS: wholeNumber("a whole number of processes", 1, 64).default(1),
  /** False: each answer ends its connection. */
  KEEP_ALIVE: flag.default(true),
  /** From the order to stop to its end; meanwhile the server is not ready. */
  DRAIN_SECONDS: seconds.optional(),
  /** Issuers of QWACs and QSealCs: PEM certificates, or a trusted list (ETSI TS 119 612). */
  TRUST_ANCHORS: file.optional(),
  /** In place of TRUST_ANCHORS: the lists of all territories that the Union's list of lists points to, docs/operate.md. */
  TRUSTED_LISTS: z.enum(["EU"], "must be EU").optional(),
  /** Another place of the list of lists, as a mirror inside the bank. */
  TRUSTED_LISTS_URL: address("a secret").optional(),
  /** PEM certificates of those who may have signed the trusted list, or the list of lists. */
  TRUSTED_LIST_SIGNERS: file.optional(),
  XS2A_TLS_CERT: file.optional(),
  XS2A_TLS_KEY: file.optional(),
  /** Whether a TPP's certificate is accepted when its revocation status is unknown. */
  REVOCATION: z.enum(["hard", "soft", "off"], "must be hard, soft or off").default("hard"),
  /** Responders in private networks that may be asked; others have to be public. */
  REVOCATION_ORIGINS: origins.default([]),
  CLIENT_CERTIFICATE: z.enum(["tls", "proxy"], "must be tls or proxy").default("tls"),
  PROXY_PEERS: addresses.optional(),
  PROXY_SECRET: secret.optional(),
  /** How the browser host knows a browser's address; unset, `forwarded` behind https and else `socket`. */
  WEB_CLIENT_ADDRESS: z
    .enum(["socket", "forwarded", "none"], "must be socket, forwarded or none")
    .optional(),
  REDIRECT_URI_DOMAIN_CHECK: z.enum(["strict", "warn"], "must be strict or warn").optional(),
  /** Of the bank's own core banking system, by docs/core-bank.openapi.yaml; unset, the embedded ledger. */
  CORE_BANK_URL: address("CORE_BANK_TOKEN").optional(),
  /** PEM files of mutual TLS: our certificate and key, and the authority of the core bank's certificate. */
  CORE_BANK_TLS_CERT: file.optional(),
  CORE_BANK_TLS_KEY: file.optional(),
  CORE_BANK_TLS_CA: file.optional(),
  CORE_BANK_TOKEN: bearer.optional(),
  /** In place of a fixed token: OAuth client credentials (RFC 6749 4.4). */
  CORE_BANK_TOKEN_URL: address("CORE_BANK_CLIENT_SECRET").optional(),
  CORE_BANK_CLIENT_ID: file.optional(),
  CORE_BANK_CLIENT_SECRET: file.optional(),
  CORE_BANK_SCOPE: file.optional(),
  /** Of each process. */
  CORE_BANK_CONNECTIONS: wholeNumber("a whole number of connections", 1, 1_000).default(16),
  /** Where PSUs sign in: here with a password, as in a sandbox, or at the bank's own OpenID Connect provider. */
  PSU_LOGIN: z.enum(["password", "oidc"], "must be password or oidc").optional(),
  /** How PSUs confirm, the first that a PSU has before the others. */
  PSU_SCA: means.optional(),
  IDP_ISSUER: address("IDP_CLIENT_SECRET").optional(),
  IDP_CLIENT_ID: file.optional(),
  /** One of the two: a secret, or a PEM file with the private key of `private_key_jwt`. */
  IDP_CLIENT_SECRET: file.optional(),
  IDP_CLIENT_KEY: file.optional(),
  /** PEM file of the authority of the provider's certificate, where it is no public one. */
  IDP_CA: file.optional(),
  IDP_SCOPE: file.default("openid"),
  /** The claim that holds the core bank's id of the customer. */
  IDP_CUSTOMER_CLAIM: file.default("sub"),
  /** Of ID tokens. */
  IDP_SIGNING_ALG: signingAlg,
  /** What is asked for, and has to come back: for a sign-in, and where a confirmation or both elements are wanted. */
  IDP_ACR_LOGIN: file.optional(),
  IDP_ACR_SCA: file.optional(),
  /** In the answer of the customer's app, where it is another than IDP_ACR_SCA. */
  IDP_ACR_CIBA: file.optional(),
  /** How long ago a customer may have signed in at the provider; a confirmation takes a new proof always. */
  IDP_MAX_AGE_SECONDS: wholeNumber("a whole number of seconds", 0, 3_600).default(0),
  /** The `type` of authorization details (RFC 9396) by which the provider shows and returns what is authorised. */
  IDP_AUTHORIZATION_DETAILS: file.optional(),
  /** True: requests are signed (RFC 9101), which takes IDP_CLIENT_KEY. */
  IDP_REQUEST_OBJECT: flag.default(false),
  /** What the customer's app is sent to show: all that is confirmed, or the page's reference where it takes no more. */
  IDP_BINDING_MESSAGE: z.enum(["text", "reference"], "must be text or reference").default("text"),
  /** How the answer of the customer's app is learnt (OpenID CIBA). */
  IDP_CIBA: z.enum(["poll", "ping"], "must be poll or ping").default("poll"),
  /** Where the bank's staff sign in; in a sandbox without it, demo operators do with passwords. */
  STAFF_IDP_ISSUER: address("STAFF_IDP_CLIENT_SECRET").optional(),
  STAFF_IDP_CLIENT_ID: file.optional(),
  STAFF_IDP_CLIENT_SECRET: file.optional(),
  STAFF_IDP_CLIENT_KEY: file.optional(),
  STAFF_IDP_CA: file.optional(),
  STAFF_IDP_SCOPE: file.default("openid profile"),
  STAFF_IDP_SIGNING_ALG: signingAlg,
  /** What is asked for, and has to come back. */
  STAFF_IDP_ACR: file.optional(),
  /** The claim that names an operator in events; never given to another person. */
  STAFF_OPERATOR_CLAIM: file.default("sub"),
  /** The claim with the roles, a path where it is nested: realm_access.roles. */
  STAFF_ROLES_CLAIM: file.default("roles"),
  /** Where the seals of recorded events are kept besides the database: file:, syslog: or https: */
  EVENT_SEALS_TO: z
    .url({ protocol: /^(file|syslog|https)$/, error: "must be a file:, syslog: or https: URL" })
    .optional(),
  /** Where the bank's own systems call (docs/bank-api.md); unset, 8444 in a sandbox and none outside. */
  BANK_API_PORT: portOrNone.optional(),
  BANK_API_TLS_CERT: file.optional(),
  BANK_API_TLS_KEY: file.optional(),
  /** Whose access tokens are taken (RFC 9068), for whom they have to be, and where its keys are. */
  BANK_API_ISSUER: address("an access token").optional(),
  BANK_API_AUDIENCE: file.optional(),
  BANK_API_JWKS_URL: address("an access token").optional(),
  /** PEM file of the authority of the certificate at BANK_API_JWKS_URL, where it is no public one. */
  BANK_API_JWKS_CA: file.optional(),
  /** PEM file of those who issue the certificates of clients, and which scopes each of these has. */
  BANK_API_CLIENT_CA: file.optional(),
  BANK_API_CLIENTS: clientScopes.optional(),
  /** Which of the bank's own systems is told what happens, and the secrets that sign it, the one in use first. */
  WEBHOOKS_URL: z
    .url({ protocol: /^https$/, error: "must be an https URL", abort: true })
    .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
      error: "must hold no user and password; WEBHOOKS_SECRETS sign what is sent",
    })
    .optional(),
  WEBHOOKS_SECRETS: parts
    .pipe(z.array(z.string().regex(WEBHOOK_SECRET, "must be whsec_ and base64 of 24 to 64 bytes")))
    .optional(),
  /** PEM file of the authority of its certificate, where it is no public one. */
  WEBHOOKS_CA: file.optional(),
  /** PEM files of the bank's QSealC, its issuers behind it, and its key: unset, TPPs are not notified. */
  NOTIFICATIONS_SEAL_CERT: file.optional(),
  NOTIFICATIONS_SEAL_KEY: file.optional(),
  /** Receivers in private networks that may be notified; others have to be public. */
  NOTIFICATIONS_ORIGINS: origins.default([]),
  SMS_GATEWAY_URL: address("SMS_GATEWAY_TOKEN").optional(),
  SMS_GATEWAY_TOKEN: bearer.optional(),
  /** Signs the cookies of the authorisation flow. */
  COOKIE_SECRET: secrets.optional(),
  /** Encrypts the session cookies of PSUs and staff. */
  SESSION_SECRET: secrets.optional(),
  /** Keys the fingerprints of one-time codes. */
  CODE_SECRET: secrets.optional(),
  /** Path of a file with EC P-256 private keys, in PEM or as a JWKS: the first signs access tokens. */
  TOKEN_SIGNING_KEY: file.optional(),
  LOG_LEVEL: z
    .enum(
      ["debug", "info", "warn", "error", "silent"],
      "must be debug, info, warn, error or silent",
    )
    .default("info"),
  /** A line for each request of a TPP, as `info`; unset, outside a sandbox only. */
  REQUEST_LOG: flag.optional(),
});

/** Settings whose values are told to nobody, not even to a log. */
export function isSecret(name: string): boolean {
  return /(_SECRETS?|_TOKEN|DATABASE_URL)$/.test(name);
}

/** As the environment has them. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

type Found = z.infer<typeof settings>;
export type Settings = Found & {
  readonly XS2A_URL: string;
  readonly WEB_URL: string;
  readonly STAFF_URL: string;
  readonly STAFF_PORT: number;
  /** 0 for none. */
  readonly BANK_API_PORT: number;
  readonly PSU_LOGIN: "password" | "oidc";
  readonly PSU_SCA: readonly z.infer<typeof means>[number][];
};

/** Required settings; the sandbox makes each of them when it is missing. */
export const madeInSandbox = [
  "DATABASE_URL",
  "TRUST_ANCHORS",
  "COOKIE_SECRET",
  "SESSION_SECRET",
  "CODE_SECRET",
  "TOKEN_SIGNING_KEY",
] as const;
export type Config = Settings & { readonly [Name in (typeof madeInSandbox)[number]]: string };

/** Names settings, and never repeats their values: some of them are secrets. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Reads the environment; an empty variable is unset. Throws a SettingError that lists all faults. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== "");
  const result = settings.safeParse(Object.fromEntries(given));
  if (!result.success) throw new SettingError(result.error.issues.map(inWords).join("\n"));
  const found = withDefaults(result.data);
  const named = result.data.TRUST_ANCHORS ?? found.TRUST_ANCHORS;
  if (named !== found.TRUST_ANCHORS) {
    throw new SettingError("TRUST_ANCHORS: must be unset where TRUSTED_LISTS says whom to follow");
  }
  if (found.STAFF_PORT !== 0 && found.STAFF_URL === found.WEB_URL) {
    throw new SettingError("STAFF_URL: must be another origin than WEB_URL, which is the PSUs'");
  }
  const missing = found.SANDBOX ? halvesMissing(found) : demandedOutsideSandbox(result.data, found);
  if (missing.length > 0) {
    const list = missing.map((line) => `  ${found.SANDBOX ? line : withExample(line)}`).join("\n");
    throw new SettingError(`${found.SANDBOX ? "missing" : "SANDBOX=false demands"}:\n${list}`);
  }
  return found;
}

/** Settings in which nothing is missing any more. */
export function completeConfig(found: Settings): Config {
  const missing = madeInSandbox.filter((name) => found[name] === undefined);
  if (missing.length > 0) throw new SettingError(`not set: ${missing.join(", ")}`);
  return found as Config;
}

let current: Config | undefined;

/** The configuration of this process, read when the launcher has completed the environment. */
export function config(): Config {
  current ??= completeConfig(readSettings(process.env));
  return current;
}

/** In DATA_DIR, what the lists that are followed say. */
const FOLLOWED_LISTS = "trusted-lists.json";

/**
 * On this machine a host's address follows its port, so that one setting moves both. Who signs in at the identity
 * provider confirms there as well, unless PSU_SCA says otherwise.
 */
function withDefaults(found: Found): Settings {
  const login = found.PSU_LOGIN ?? (found.SANDBOX ? "password" : "oidc");
  const staffPort = found.STAFF_PORT ?? (found.SANDBOX ? 3001 : 0);
  const followed = found.TRUSTED_LISTS && path.resolve(found.DATA_DIR, FOLLOWED_LISTS);
  return {
    ...found,
    ...(followed !== undefined && { TRUST_ANCHORS: followed }),
    BANK_API_PORT: found.BANK_API_PORT ?? (found.SANDBOX ? 8444 : 0),
    PSU_LOGIN: login,
    PSU_SCA: found.PSU_SCA ?? (login === "oidc" ? ["oidc"] : ["passkey", "code"]),
    XS2A_URL: found.XS2A_URL ?? `https://localhost:${found.XS2A_PORT}`,
    WEB_URL: found.WEB_URL ?? `http://localhost:${found.WEB_PORT}`,
    STAFF_PORT: staffPort,
    STAFF_URL: found.STAFF_URL ?? `http://localhost:${staffPort}`,
  };
}

/**
 * The provider of the bank's staff, which may be another realm or another provider, in the terms of the customers';
 * undefined where there is none.
 */
export function withStaffProvider<Given extends Settings>(settings: Given) {
  const { STAFF_PORT, STAFF_IDP_ISSUER, STAFF_IDP_CLIENT_ID, STAFF_IDP_ACR } = settings;
  if (STAFF_PORT === 0 || STAFF_IDP_ISSUER === undefined) return undefined;
  return {
    ...settings,
    WEB_URL: settings.STAFF_URL,
    IDP_ISSUER: STAFF_IDP_ISSUER,
    IDP_CLIENT_ID: STAFF_IDP_CLIENT_ID,
    IDP_CLIENT_SECRET: settings.STAFF_IDP_CLIENT_SECRET,
    IDP_CLIENT_KEY: settings.STAFF_IDP_CLIENT_KEY,
    IDP_CA: settings.STAFF_IDP_CA,
    IDP_SCOPE: settings.STAFF_IDP_SCOPE,
    IDP_SIGNING_ALG: settings.STAFF_IDP_SIGNING_ALG,
    IDP_CUSTOMER_CLAIM: settings.STAFF_OPERATOR_CLAIM,
    IDP_ACR_LOGIN: STAFF_IDP_ACR,
    IDP_ACR_SCA: STAFF_IDP_ACR,
    IDP_MAX_AGE_SECONDS: 0,
    IDP_REQUEST_OBJECT: false,
  };
}

function inWords(issue: z.core.$ZodIssue): string {
  return `${String(issue.path[0])}: ${issue.message}`;
}

/** Of a setting that an operator has not met yet. */
const examples: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgres://drawbridge:SECRET@db.bank.example/drawbridge",
  TRUST_ANCHORS: "/etc/drawbridge/trusted-list.xml",
  COOKIE_SECRET: "`openssl rand -base64 32`",
  SESSION_SECRET: "`openssl rand -base64 32`",
  CODE_SECRET: "`openssl rand -base64 32`",
  TOKEN_SIGNING_KEY: "a file of `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256`",
  XS2A_TLS_CERT: "/etc/drawbridge/xs2a.pem",
  XS2A_TLS_KEY: "/etc/drawbridge/xs2a.key",
  XS2A_URL: "https://xs2a.bank.example",
  WEB_URL: "https://psu.bank.example",
  CORE_BANK_URL: "https://core.bank.example/drawbridge",
  IDP_ISSUER: "https://login.bank.example/realms/customers",
  IDP_CLIENT_ID: "drawbridge",
  IDP_CLIENT_KEY: "a file of `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`",
  STAFF_URL: "https://staff.bank.example",
  STAFF_IDP_ISSUER: "https://login.bank.example/realms/staff",
  STAFF_IDP_CLIENT_ID: "drawbridge-staff",
  STAFF_IDP_CLIENT_KEY: "a file of `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`",
  BANK_API_TLS_CERT: "/etc/drawbridge/bank-api.pem",
  BANK_API_TLS_KEY: "/etc/drawbridge/bank-api.key",
  BANK_API_ISSUER: "https://login.bank.example/realms/systems",
  BANK_API_AUDIENCE: "https://drawbridge.bank.example",
  BANK_API_JWKS_URL: "https://login.bank.example/realms/systems/protocol/openid-connect/certs",
  BANK_API_CLIENT_CA: "/etc/drawbridge/bank-systems-ca.pem",
  BANK_API_CLIENTS: "crm=permissions:read permissions:end",
  WEBHOOKS_URL: "https://crm.bank.example/drawbridge",
  WEBHOOKS_SECRETS: "`echo whsec_$(openssl rand -base64 32)`",
  SMS_GATEWAY_URL: "https://sms.bank.example/send",
  PROXY_SECRET: "`openssl rand -base64 32`",
};

function withExample(line: string): string {
  const example = examples[line.split(" ")[0] ?? line];
  return example === undefined ? line : `${line}, for example ${example}`;
}

/** Settings that mean nothing without another one. */
function halvesMissing(found: Settings): string[] {
  type Name = keyof Settings;
  const isSet = (name: Name) => found[name] !== undefined;
  const needing = (names: readonly Name[], ...needed: readonly Name[]) =>
    names.some(isSet) ? needed : [];
  const proxy = found.CLIENT_CERTIFICATE === "proxy" ? (["PROXY_SECRET"] as const) : [];
  const [pair, seal, webhooks] = [
    ["XS2A_TLS_CERT", "XS2A_TLS_KEY"],
    ["NOTIFICATIONS_SEAL_CERT", "NOTIFICATIONS_SEAL_KEY"],
    ["WEBHOOKS_URL", "WEBHOOKS_SECRETS"],
  ] as const;
  const all: readonly Name[] = [
    ...needing(pair, ...pair),
    ...needing(seal, ...seal),
    ...proxy,
    ...needing(["SMS_GATEWAY_TOKEN"], "SMS_GATEWAY_URL"),
    ...coreBankMissing(found),
    ...identityMissing(found),
    ...staffIdentityMissing(found),
    ...bankApiMissing(found),
    ...needing(["TRUSTED_LISTS"], "TRUSTED_LIST_SIGNERS"),
    ...needing([...webhooks, "WEBHOOKS_CA"], ...webhooks),
    ...needing(["MIGRATION_DATABASE_URL"], "DATABASE_URL"),
  ];
  return all.filter((name) => !isSet(name));
}

/** Where customers sign in or confirm at the bank's identity provider. */
function identityMissing(found: Settings) {
  const { PSU_LOGIN, PSU_SCA, IDP_REQUEST_OBJECT } = found;
  const remote = PSU_SCA.some((one) => one === "ciba" || one === "oidc");
  if (PSU_LOGIN === "password" && !remote) return [];
  const secret = found.IDP_CLIENT_SECRET !== undefined && !IDP_REQUEST_OBJECT;
  const key = secret ? [] : (["IDP_CLIENT_KEY"] as const);
  return ["IDP_ISSUER", "IDP_CLIENT_ID", ...key] as const;
}

/** Staff sign in at a provider wherever one is named, and outside a sandbox wherever there is a console. */
function staffIdentityMissing(found: Settings) {
  const { SANDBOX, STAFF_PORT, STAFF_IDP_ISSUER, STAFF_IDP_CLIENT_SECRET } = found;
  if (STAFF_PORT === 0 || (SANDBOX && STAFF_IDP_ISSUER === undefined)) return [];
  const key = STAFF_IDP_CLIENT_SECRET === undefined ? (["STAFF_IDP_CLIENT_KEY"] as const) : [];
  return ["STAFF_IDP_ISSUER", "STAFF_IDP_CLIENT_ID", ...key] as const;
}

/** Callers prove who they are by an access token or by a certificate; outside a sandbox one of the two has to be set. */
function bankApiMissing(found: Settings) {
  const token = ["BANK_API_ISSUER", "BANK_API_AUDIENCE", "BANK_API_JWKS_URL"] as const;
  const certificate = ["BANK_API_CLIENT_CA", "BANK_API_CLIENTS"] as const;
  const tls = ["BANK_API_TLS_CERT", "BANK_API_TLS_KEY"] as const;
  const begun = [token, certificate, tls].filter((set) =>
    set.some((name) => found[name] !== undefined),
  );
  if (found.SANDBOX || found.BANK_API_PORT === 0) return begun.flat();
  const proof = begun.includes(token) || begun.includes(certificate) ? [] : token;
  return [...begun.flat(), ...tls, ...proof];
}

function coreBankMissing(found: Found) {
  const sets = [
    ["CORE_BANK_URL", "CORE_BANK_TLS_CERT", "CORE_BANK_TLS_KEY"],
    ["CORE_BANK_URL", "CORE_BANK_TLS_CA"],
    ["CORE_BANK_URL", "CORE_BANK_TOKEN"],
    ["CORE_BANK_URL", "CORE_BANK_TOKEN_URL", "CORE_BANK_CLIENT_ID", "CORE_BANK_CLIENT_SECRET"],
  ] as const;
  const begun = sets.filter(([, ...own]) => own.some((name) => found[name] !== undefined));
  return [...new Set(begun.flat())];
}

function demandedOutsideSandbox(given: Found, found: Settings): string[] {
  const tls =
    found.CLIENT_CERTIFICATE === "tls" ? (["XS2A_TLS_CERT", "XS2A_TLS_KEY"] as const) : [];
  // Codes go there, and the notices of a block and of a passkey that was added or removed.
  const texts = found.PSU_SCA.some((one) => one === "code" || one === "passkey");
  const gateway = texts ? (["SMS_GATEWAY_URL"] as const) : [];
  const names = [...madeInSandbox, ...tls, "CORE_BANK_URL", ...gateway] as const;
  const checked = found.REVOCATION === "off" ? ["REVOCATION hard or soft"] : [];
  const login = found.PSU_LOGIN === "password" ? ["PSU_LOGIN oidc"] : [];
  const unset: string[] = names.filter((name) => found[name] === undefined);
  const staff = found.STAFF_PORT === 0 ? [] : (["STAFF_URL"] as const);
  const plain = (["XS2A_URL", "WEB_URL", ...staff] as const)
    .filter((name) => given[name]?.startsWith("https://") !== true)
    .map((name) => `${name} with https`);
  const called = (
    [
      "SMS_GATEWAY_URL",
      "CORE_BANK_URL",
      "CORE_BANK_TOKEN_URL",
      "IDP_ISSUER",
      "STAFF_IDP_ISSUER",
      "BANK_API_ISSUER",
      "BANK_API_JWKS_URL",
    ] as const
  )
    .filter((name) => isPlainElsewhere(found[name]))
    .map((name) => `${name} with https`);
  return [
    ...new Set([...unset, ...halvesMissing(found), ...plain, ...called, ...checked, ...login]),
  ];
}

const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Codes, balances and tokens would cross a network in clear. */
function isPlainElsewhere(address: string | undefined): boolean {
  if (address === undefined) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !LOOPBACK.includes(hostname);
}

function isDatabaseUrl(text: string): boolean {
  const [, head, hosts, rest] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  return hosts?.split(",").every((host) => URL.canParse(`${head}${host}${rest}`)) === true;
}

/** The certificates that a sandbox issues to its own listeners, where no setting names others. */
export function sandboxCertificates({ DATA_DIR }: Pick<Settings, "DATA_DIR">) {
  const folder = path.resolve(DATA_DIR);
  return {
    tls: path.join(folder, "tls.pem"),
    "bank-api": path.join(folder, "bank-api/server.pem"),
  };
}
