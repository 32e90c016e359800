import type { RequestListener } from "node:http";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { isUuid } from "@/lib/domain/identifiers";
import { isUnavailable, retryAfter } from "@/lib/domain/unavailable";
import { callProvider } from "./bridge";
import { logFault } from "./log-events";
import { type Hosts, metadata } from "./metadata";
import { readBody } from "./read-body";
import { mendForm } from "./token-request";

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

/** The endpoints that a TPP's server calls. Every answer is JSON, faults in the form of RFC 6749 5.2. */
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

  const body = await readBody(request, host.profile.request.bodyBytesMax);
  if (body === undefined) return oauthError(413, "invalid_request", "the body is too large");
  const answer = await callProvider(await host.callback(), {
    method,
    origin: host.issuer,
    target: pathname,
    headers: {
      "content-type": request.headers.get("content-type") ?? undefined,
      "client-cert": request.headers.get("client-cert") ?? undefined,
    },
    ...(body.byteLength > 0 && { body: mendForm(body) }),
  });
  if (answer.status === 503) return notNow();
  // The library logs its fault; its text for the caller is no error code's description.
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
