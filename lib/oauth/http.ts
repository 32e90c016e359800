import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import inject from "light-my-request";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { passAccepted } from "@/lib/accepted-tpp";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { isUnavailable, outageIn, retryAfter, UnavailableError } from "@/lib/domain/errors";
import type { RefusalLog } from "@/lib/domain/events";
import { isUuid, type TppId } from "@/lib/domain/values";
import { log } from "@/lib/log";
import { readUpTo } from "@/lib/read-body";
import {
  AuthorisationFault,
  type AuthorisationPorts,
  checkAuthorisationRequest,
  type EndedReason,
  endedPage,
  formatScope,
  identifyRequester,
  LocalFault,
  localesAsked,
  parseScope,
  type Requester,
} from "./authorisation-request";

type TppHost = Hosts & {
  readonly profile: AspspProfile;
  readonly callback: () => Promise<RequestListener>;
};

const methods = {
  "/.well-known/oauth-authorization-server": "GET",
  "/jwks": "GET",
  "/token": "POST",
  "/token/revocation": "POST",
} as const;

/** The endpoints that a TPP's server calls. Every answer is JSON, errors as in RFC 6749 5.2. */
export async function serveTppHost(request: Request, host: TppHost): Promise<Response> {
  const answer = await answerTpp(request, host).catch((error: unknown) => {
    logFault(error, "tpp host");
    return isUnavailable(error) ? notNow() : oauthError(500, "server_error");
  });
  for (const name of ["X-Request-ID", "x-fapi-interaction-id"]) {
    const given = request.headers.get(name);
    answer.headers.set(name, given !== null && isUuid(given) ? given : crypto.randomUUID());
  }
  answer.headers.set("Cache-Control", "no-store");
  return answer;
}

async function answerTpp(request: Request, host: TppHost): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (!isEndpoint(pathname)) return oauthError(404, "invalid_request", "no such endpoint");
  const method = methods[pathname];
  if (request.method !== method) {
    const answer = oauthError(405, "invalid_request", `only ${method} is offered here`);
    answer.headers.set("Allow", method);
    return answer;
  }
  if (pathname === "/.well-known/oauth-authorization-server") return Response.json(metadata(host));

  const { bodyBytesMax } = host.profile.request;
  const declared = Number(request.headers.get("content-length") ?? 0);
  const body = declared > bodyBytesMax ? undefined : await readUpTo(request.body, bodyBytesMax);
  if (body === undefined) return oauthError(413, "invalid_request", "the body is too large");
  const answer = await callProvider(await host.callback(), {
    ...{ request, method },
    origin: host.issuer,
    target: pathname,
    headers: {
      "content-type": request.headers.get("content-type") ?? undefined,
      "client-cert": request.headers.get("client-cert") ?? undefined,
    },
    ...(body.byteLength > 0 && { body: mendForm(body) }),
  });
  if (answer.status === 503) return notNow();
  // The library logs its error; its text is not meant as an error_description.
  return answer.status >= 500 ? oauthError(500, "server_error") : answer;
}

function isEndpoint(path: string): path is keyof typeof methods {
  return Object.hasOwn(methods, path);
}

/** RFC 6749 5.2 has no code for it; this one says the same to an authorisation request (4.1.2.1). */
function notNow(): Response {
  const answer = oauthError(503, "temporarily_unavailable", "try again in a moment");
  answer.headers.set("Retry-After", retryAfter["retry-after"]);
  return answer;
}

function oauthError(status: number, error: string, description?: string): Response {
  const body = description === undefined ? { error } : { error, error_description: description };
  return Response.json(body, { status });
}

type BrowserHost = Hosts &
  AuthorisationPorts & { readonly callback: () => Promise<RequestListener> };

/** The PSU's browser: it is always redirected, to the bank's pages or back to the TPP. */
export async function serveBrowserHost(request: Request, host: BrowserHost): Promise<Response> {
  if (request.method !== "GET") {
    return new Response(null, { status: 405, headers: { Allow: "GET" } });
  }
  const { pathname, searchParams } = new URL(request.url);
  const cookie = request.headers.get("cookie") ?? undefined;
  // At any other address the PSU has authorised: the library issues the code and redirects to the TPP.
  const answer = await (pathname === "/auth"
    ? authorise(searchParams, host)
    : redirected(host, pathname, { cookie })
  ).catch((error: unknown) => ended(host, error, localesAsked(searchParams)));
  answer.headers.set("Cache-Control", "no-store");
  // The URL of this request, or of the redirect, has a code or a state.
  answer.headers.set("Referrer-Policy", "no-referrer");
  return answer;
}

/** A new authorisation request: the login page, or the TPP with an error. */
async function authorise(parameters: URLSearchParams, host: BrowserHost): Promise<Response> {
  const requester = await identifyRequester(parameters, host);
  try {
    const checked = checkAuthorisationRequest(parameters, requester);
    return await redirected(host, `/auth?${checked}`);
  } catch (error) {
    // The PSU tries again here; the TPP could only send the same request once more.
    if (isUnavailable(error)) throw error;
    return sendBack(requester, parameters, { error, issuer: host.issuer });
  }
}

/** Anything but a redirect is a refusal of the library (the interaction is over) or an internal error. */
async function redirected(
  { webUrl: origin, callback }: BrowserHost,
  target: string,
  headers: ProviderCall["headers"] = {},
): Promise<Response> {
  const answer = await callProvider(await callback(), { method: "GET", origin, target, headers });
  if (answer.status === 503)
    throw new UnavailableError("a service that the request needs is unavailable");
  if (answer.status < 300) throw new Error("oidc-provider answered the browser with a page");
  if (answer.status >= 400) throw new LocalFault(answer.status >= 500 ? "fault" : "gone");
  const cookies = answer.headers.getSetCookie().filter((cookie) => INTERACTION.test(cookie));
  answer.headers.delete("set-cookie");
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** No browser session is stored (adapter.ts), so its cookie is not sent: two authorisations never share one. */
const INTERACTION = /^_interaction(?:_resume)?(?:\.sig)?=/;

type Refusal = { readonly error: unknown; readonly issuer: string };

/** RFC 6749 4.1.2.1 with `iss` (RFC 9207), so that a TPP cannot mistake another bank's answer for this one's. */
function sendBack(
  { redirectUri }: Requester,
  parameters: URLSearchParams,
  { error, issuer }: Refusal,
): Response {
  const fault =
    error instanceof AuthorisationFault
      ? error
      : new AuthorisationFault("server_error", "the bank could not serve this request");
  if (fault !== error) logFault(error, "authorise");
  const url = new URL(redirectUri);
  url.searchParams.set("error", fault.error);
  url.searchParams.set("error_description", fault.message);
  const [state, ...more] = parameters.getAll("state");
  if (state !== undefined && more.length === 0) url.searchParams.set("state", state);
  url.searchParams.set("iss", issuer);
  return seeOther(url.href);
}

function ended({ webUrl }: Hosts, error: unknown, uiLocales: string | undefined): Response {
  if (isUnavailable(error)) {
    logFault(error, "browser host");
    return new Response(null, { status: 503, headers: retryAfter });
  }
  const reason: EndedReason = error instanceof LocalFault ? error.reason : "fault";
  if (!(error instanceof LocalFault)) logFault(error, "browser host");
  return seeOther(endedPage(webUrl, reason, uiLocales));
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location } });
}

type ProviderCall = {
  /** Of a TPP. */
  readonly request?: Request;
  readonly method: "GET" | "POST";
  /** Scheme and host as configured: what a caller writes into `Host` decides nothing. */
  readonly origin: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array;
};

/** The only headers of the library's answer that are sent. */
const PASSED_ON = [
  "content-type",
  "cache-control",
  "pragma",
  "location",
  "set-cookie",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
] as const;

/** Runs a Web request through oidc-provider, which knows Node's requests only. */
async function callProvider(callback: RequestListener, call: ProviderCall): Promise<Response> {
  const { protocol, host } = new URL(call.origin);
  const given = Object.entries(call.headers).filter(([, value]) => value !== undefined);
  const answer = await inject(callback, {
    method: call.method,
    url: `${call.origin}${call.target}`,
    authority: host,
    headers: {
      ...Object.fromEntries(given),
      "x-forwarded-proto": protocol.replace(":", ""),
    },
    ...(call.body !== undefined && { payload: Buffer.from(call.body) }),
  });
  if (call.request !== undefined) passAccepted(answer.raw.req, call.request);
  const headers = new Headers();
  for (const name of PASSED_ON) {
    for (const value of [answer.headers[name] ?? []].flat()) headers.append(name, String(value));
  }
  // A redirect's body would repeat the URL with the code in it.
  const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
  const isEmpty = isRedirect || answer.rawPayload.length === 0;
  if (isEmpty) headers.delete("content-type");
  const body = isEmpty ? null : new Uint8Array(answer.rawPayload);
  return new Response(body, { status: answer.statusCode, headers });
}

/** A Node request with one cookie header, for the library functions that need one. */
export function withCookies<Result>(
  cookieHeader: string | undefined,
  use: (request: IncomingMessage, response: ServerResponse) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const listener: RequestListener = (request, response) => {
      use(request, response)
        .then(resolve, reject)
        .finally(() => response.end());
    };
    const headers = cookieHeader === undefined ? {} : { cookie: cookieHeader };
    inject(listener, { method: "GET", url: "/", headers }).catch(reject);
  });
}

/**
 * The form that oidc-provider gets. A scope that is repeated at refresh is normalised as in the token, so that a
 * spelling that was accepted in the authorisation request is accepted here too; `resource` (RFC 8707) is ignored as
 * it is there: the library would refuse a wrong one only after the refresh token is used up.
 */
function mendForm(body: Uint8Array): Uint8Array {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  form.delete("resource");
  const [scope, ...more] = form.getAll("scope");
  const resource = more.length > 0 ? undefined : parseScope(scope);
  if (resource !== undefined) form.set("scope", formatScope(resource));
  return new TextEncoder().encode(form.toString());
}

export type Hosts = {
  /** The TPP host, without a trailing slash. */
  readonly issuer: string;
  /** The browser host, without a trailing slash. */
  readonly webUrl: string;
};

/** The audience of access tokens: this bank's XS2A interface, the only resource server. */
export function audienceOf({ issuer }: Pick<Hosts, "issuer">): string {
  return `${issuer}/open-banking`;
}

/**
 * RFC 8414 metadata, in place of the library's: that knows one host for all endpoints and lists what
 * OpenID Connect would offer. `scopes_supported` is left out, since a scope names a resource.
 */
function metadata({ issuer, webUrl }: Hosts) {
  return {
    issuer,
    authorization_endpoint: `${webUrl}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    revocation_endpoint: `${issuer}/token/revocation`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["tls_client_auth"],
    revocation_endpoint_auth_methods_supported: ["tls_client_auth"],
    tls_client_certificate_bound_access_tokens: true,
    authorization_response_iss_parameter_supported: true,
  };
}

/** Events for the bank's operators: which client, which error, and never what was sent. */
export function logEvents(provider: Provider, refusals: RefusalLog): void {
  const note = (ctx: KoaContextWithOIDC, error: Error) => {
    const tppId = ctx.oidc.client?.clientId as TppId | undefined;
    refusals.note({ error, tppId, certificate: clientCertOf(ctx.req) });
  };
  provider.on("grant.error", (ctx, error) => {
    log.info({ client: ctx.oidc.client?.clientId, error: error.message }, "token refused");
    note(ctx, error);
  });
  provider.on("revocation.error", note);
  provider.on("authorization.error", (ctx, error) => {
    log.info({ client: ctx.oidc.client?.clientId, error: error.message }, "authorisation refused");
  });
  provider.on("server_error", (ctx, error) => {
    logFault(error, `${ctx.method} ${ctx.oidc.route}`);
    // The only event with the library's error; `callProvider` passes the status on.
    if (isUnavailable(error)) ctx.status = 503;
  });
  // Koa would print any other error with its message; it is logged here instead.
  provider.silent = true;
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logFault(error, "middleware");
      ctx.status = isUnavailable(error) ? 503 : 500;
    }
  });
}

/** As the listener has set it (RFC 9440). */
export function clientCertOf({ headers }: IncomingMessage): string | undefined {
  const header = headers["client-cert"];
  return typeof header === "string" ? header : undefined;
}

/** Without the message: a database's repeats the values of the query. An outage is named by a fixed text. */
export function logFault(fault: unknown, where: string): void {
  const error = fault instanceof Error ? fault : new Error(typeof fault);
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  const entry = { fault: error.name, outage: outageIn(error), where, frames };
  log.error(entry, "authorisation server fault");
}
