import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type AuthOptions } from "next-auth";
import * as z from "zod";
import type { Config } from "@/lib/config";
import type { Identified } from "@/lib/domain/identity-provider";
import { sha256 } from "@/lib/domain/values";
import { secretsIn } from "@/lib/secrets";
import { systemClock } from "@/lib/system-clock";
import { isPasskeyList } from "./paths";
import type { ApprovalDetails, IdentityProvider, Shortfall } from "./ports";
import { cookieName, readCookie, seal, setCookie, unseal } from "./session";
import type { Language } from "./texts/formats";

// One round of a browser at the bank's identity provider, there and back. next-auth makes the request and judges the
// answer (state, nonce, PKCE, RFC 9207, the ID token); what it keeps meanwhile is in one sealed cookie of this round,
// so that two tabs do not disturb each other, and an answer to no round of this browser is worth nothing.

/** What it is about; `fresh`: the customer has to prove it again. */
const roundContent = z.object({
  purpose: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("login"), uid: z.string() }),
    z.object({ kind: z.literal("confirmation"), uid: z.string(), nonce: z.string() }),
    z.object({ kind: z.literal("own-channel"), to: z.string() }),
    z.object({ kind: z.literal("staff"), to: z.string() }),
  ]),
  since: z.iso.datetime(),
  /** next-auth's own cookies, by name. */
  kept: z.record(z.string(), z.string()),
});
type Round = z.infer<typeof roundContent>;
type RoundPurpose = Round["purpose"];

/** `config` of the console of the bank's staff names their provider, see `staffIdentity` in lib/services. */
type Services = { readonly config: Config; readonly identityProvider: IdentityProvider };

type Start = {
  readonly purpose: RoundPurpose;
  readonly language: Language;
  readonly details?: ApprovalDetails;
  /** Fills in the provider's login field, no more. */
  readonly hint?: string | undefined;
};

export type Begun = { readonly location: string; readonly cookies: readonly string[] };

/** Where to lead the browser, and the round's cookie; undefined while the provider cannot be used. */
export async function beginRound(services: Services, start: Start): Promise<Begun | undefined> {
  const { config, identityProvider } = services;
  const { purpose, ...asked } = start;
  const kept = new Map<string, string>();
  const [secret] = secretsIn(config.SESSION_SECRET);
  const options = await nextAuthOptions(services, { purpose, secret }, () => false);
  const call = (action: readonly string[], method: "GET" | "POST", more: CallOf = {}) =>
    callNextAuth(options, { action, method, cookies: Object.fromEntries(kept), ...more }, kept);
  const { body } = await call(["csrf"], "GET");
  const csrfToken = z.object({ csrfToken: z.string() }).parse(body).csrfToken;
  const query = identityProvider.parameters({ ...wantedFor(purpose), ...asked });
  const { location } = await call(["signin", PROVIDER], "POST", { body: { csrfToken }, query });
  const state = location && new URL(location).searchParams.get("state");
  if (!location || !state) return undefined;
  const at = await identityProvider.requestAt(location);
  if (at === undefined) return undefined;
  const since = (await systemClock.now()).toISOString();
  const round = { purpose, since, kept: Object.fromEntries(kept) };
  const value = await seal(secret, "provider-round", round, ROUND_SECONDS);
  const named = { name: await roundName(state), value, seconds: ROUND_SECONDS };
  return { location: at, cookies: [setCookie(config.WEB_URL, named)] };
}

/** next-auth's name of the bank's provider: the last part of the redirect URI. */
const PROVIDER = "bank";
/** As long as next-auth's own. */
const ROUND_SECONDS = 900;

/** One cookie for each round; its name tells nothing. */
const roundName = async (state: string) => `round-${(await sha256(state)).slice(0, 16)}`;

function wantedFor(purpose: RoundPurpose) {
  const { kind } = purpose;
  // A passkey is added only shortly after SCA, so that an earlier one would not do.
  const toPasskeys = kind === "own-channel" && isPasskeyList(purpose.to);
  return {
    wanted: kind === "login" ? ("login" as const) : ("sca" as const),
    fresh: kind === "confirmation" || toPasskeys,
  };
}

export type RoundEnd = {
  /** Undefined when this browser has begun no such round, or has ended it: also in an answer that nobody asked for. */
  readonly purpose: RoundPurpose | undefined;
  readonly cookies: readonly string[];
  readonly result:
    | {
        readonly outcome: "identified";
        readonly identified: Identified;
        /** All that the ID token says. */
        readonly claims: unknown;
      }
    | { readonly outcome: "refused" }
    | { readonly outcome: "provider-unavailable" | Shortfall };
};

/** What a browser that comes back has asked; undefined for one that has not, or that comes a second time. */
export async function purposeOf(services: Services, request: Request) {
  return (await roundOf(services, request)).round?.purpose;
}

async function roundOf({ config }: Services, request: Request) {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const name = await roundName(query["state"] ?? "none");
  const sealed = readCookie(request.headers.get("cookie"), cookieName(config.WEB_URL, name));
  const opened = secretsIn(config.SESSION_SECRET).map(async (secret) => {
    const round = await unseal(secret, "provider-round", sealed, roundContent);
    return round && { round, secret };
  });
  const found = (await Promise.all(opened)).find((one) => one !== undefined);
  return { query, name, ...found };
}

/** The provider's answer, which the browser brings. */
export async function endRound(services: Services, request: Request): Promise<RoundEnd> {
  const { config, identityProvider } = services;
  const { query, name, round, secret } = await roundOf(services, request);
  if (round === undefined || secret === undefined) {
    return { purpose: undefined, cookies: [], result: { outcome: "not-proved" } };
  }
  const { purpose } = round;
  const over = setCookie(config.WEB_URL, { name, value: "", seconds: 0 });
  const ended = { purpose, cookies: [over] };
  if (query["error"] !== undefined) {
    const isOurs = query["iss"] === undefined || query["iss"] === config.IDP_ISSUER;
    const outcome = isOurs ? errorOutcome(query["error"]) : ("not-proved" as const);
    return { ...ended, result: { outcome } };
  }
  let token: Token | undefined;
  let unavailable = false;
  const options = await nextAuthOptions(
    services,
    { purpose, secret },
    (proved) => {
      token = proved;
      return false;
    },
    (error) => {
      unavailable = isOutage(error);
    },
  );
  const action = ["callback", PROVIDER];
  await callNextAuth(options, { action, method: "GET", query, cookies: round.kept }, new Map());
  if (token === undefined) {
    return { ...ended, result: { outcome: unavailable ? "provider-unavailable" : "not-proved" } };
  }
  const { claims, idToken } = token;
  const expected = { ...wantedFor(purpose), since: new Date(round.since) };
  const identified = identityProvider.judge(claims, idToken, expected);
  return typeof identified === "string"
    ? { ...ended, result: { outcome: identified } }
    : { ...ended, result: { outcome: "identified", identified, claims } };
}

/** RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6 and Unmet Authentication Requirements. */
function errorOutcome(error: string) {
  switch (error) {
    case "access_denied":
      return "refused" as const;
    case "unmet_authentication_requirements":
      return "acr-too-low" as const;
    default:
      return "provider-unavailable" as const;
  }
}

type Token = { readonly claims: unknown; readonly idToken: string };

async function nextAuthOptions(
  { config, identityProvider }: Services,
  { purpose: { kind }, secret }: Pick<Round, "purpose"> & { readonly secret: string },
  proved: (token: Token) => boolean,
  failed: (error: unknown) => void = () => undefined,
): Promise<AuthOptions> {
  const key = await identityProvider.privateJwk;
  const method = key === undefined ? "client_secret_basic" : "private_key_jwt";
  // next-auth knows one origin, and here are two.
  const callback = `${kind === "staff" ? "/staff" : ""}/identity/callback/${PROVIDER}`;
  const redirect_uri = `${config.WEB_URL}${callback}`;
  const cookie = (name: string) => ({ name, options: { path: "/", httpOnly: true } });
  return {
    // The one that its cookies of this round are sealed with: it takes no list.
    secret,
    providers: [
      {
        ...{ id: PROVIDER, name: "The bank", type: "oauth", idToken: true },
        wellKnown: `${(config.IDP_ISSUER ?? "none").replace(/\/$/, "")}/.well-known/openid-configuration`,
        clientId: config.IDP_CLIENT_ID ?? "none",
        ...(config.IDP_CLIENT_SECRET && { clientSecret: config.IDP_CLIENT_SECRET }),
        checks: ["pkce", "state", "nonce"],
        authorization: { params: { scope: config.IDP_SCOPE, redirect_uri } },
        token: {
          request: async ({ client, params, checks }) => ({
            tokens: await client.callback(redirect_uri, params, checks),
          }),
        },
        client: {
          token_endpoint_auth_method: method,
          id_token_signed_response_alg: config.IDP_SIGNING_ALG,
          ...(key && { token_endpoint_auth_signing_alg: String(key["alg"]) }),
        },
        ...(key && { jwks: { keys: [key as never] } }),
        httpOptions: {
          timeout: PROVIDER_MS_MAX,
          ...(identityProvider.ca && { ca: identityProvider.ca }),
        },
        profile: (claims: { readonly sub: string }) => ({ id: claims.sub }),
      },
    ],
    cookies: {
      state: cookie("state"),
      nonce: cookie("nonce"),
      pkceCodeVerifier: cookie("pkce"),
      csrfToken: cookie("csrf"),
      callbackUrl: cookie("callback"),
      sessionToken: cookie("session"),
    },
    // What next-auth has verified is taken from here: the session is the bank's own row, and its cookie points at it.
    callbacks: {
      signIn: ({ account, profile }) =>
        account?.id_token !== undefined && proved({ claims: profile, idToken: account.id_token }),
    },
    logger: {
      error: (_code, metadata) => failed("error" in metadata ? metadata.error : metadata),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

const PROVIDER_MS_MAX = 5_000;

/** The network's or the provider's fault, and not what it has answered. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    /^(E[A-Z]+|UND_ERR_|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(code) ||
    /timed out|expected 200 OK, got: 5\d\d/.test(error.message)
  );
}

type CallOf = {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
};
type Call = CallOf & {
  readonly action: readonly string[];
  readonly method: "GET" | "POST";
  readonly cookies: Readonly<Record<string, string>>;
};

/**
 * Calls next-auth's handler within this request. The cookies that it sets go into `kept`, those it removes leave it.
 * As many of a request and an answer of Next's Pages Router as the handler uses.
 */
async function callNextAuth(
  options: AuthOptions,
  { action, method, query = {}, body = {}, cookies }: Call,
  kept: Map<string, string>,
) {
  let location: string | undefined;
  let sent: unknown;
  const take = (given: unknown) => {
    sent = given;
  };
  const request = { query: { nextauth: action, ...query }, body, cookies, headers: {}, method };
  const response = {
    status: () => response,
    getHeader: () => undefined,
    setHeader: (name: string, value: string | readonly string[]) => {
      if (name === "Location") location = String(value);
      if (name !== "Set-Cookie") return response;
      for (const line of [value].flat()) keep(kept, line);
      return response;
    },
    json: take,
    send: take,
    end: () => undefined,
  };
  await NextAuth(
    request as unknown as NextApiRequest,
    response as unknown as NextApiResponse,
    options,
  );
  return { location, body: sent };
}

function keep(kept: Map<string, string>, line: string): void {
  const [pair = ""] = line.split(";");
  const at = pair.indexOf("=");
  const value = decodeURIComponent(pair.slice(at + 1));
  if (value === "") kept.delete(pair.slice(0, at));
  else kept.set(pair.slice(0, at), value);
}
