import type { RequestListener } from "node:http";
import { isUnavailable, retryAfter, UnavailableError } from "@/lib/domain/unavailable";
import {
  type AuthorisationPorts,
  checkAuthorisationRequest,
  identifyRequester,
  type Requester,
} from "./authorisation-request";
import { callProvider } from "./bridge";
import { AuthorisationFault, type EndedReason, endedPage, LocalFault } from "./faults";
import { logFault } from "./log-events";
import type { Hosts } from "./metadata";

type BrowserHost = Hosts &
  AuthorisationPorts & { readonly callback: () => Promise<RequestListener> };

/** The PSU's browser: it is always sent on, to the bank's pages or back to the TPP. */
export async function serveBrowserHost(request: Request, host: BrowserHost): Promise<Response> {
  if (request.method !== "GET") {
    return new Response(null, { status: 405, headers: { Allow: "GET" } });
  }
  const { pathname } = new URL(request.url);
  const answer = await (pathname === "/auth"
    ? authorise(request, host)
    : resume(request, pathname, host)
  ).catch((error: unknown) => ended(host, error));
  answer.headers.set("Cache-Control", "no-store");
  // The URL of this answer, or the one it leads to, holds a code or a state.
  answer.headers.set("Referrer-Policy", "no-referrer");
  return answer;
}

/** A new authorisation request: the login page, or the TPP with an error. */
async function authorise(request: Request, host: BrowserHost): Promise<Response> {
  const parameters = new URL(request.url).searchParams;
  const requester = await identifyRequester(parameters, host);
  try {
    const checked = checkAuthorisationRequest(parameters, requester);
    return await redirected(
      await callProvider(await host.callback(), {
        method: "GET",
        origin: host.webUrl,
        target: `/auth?${checked}`,
        headers: {},
      }),
    );
  } catch (error) {
    // The PSU tries again here; the TPP could only send the same request once more.
    if (isUnavailable(error)) throw error;
    return sendBack(requester, parameters, { error, issuer: host.issuer });
  }
}

/** The PSU has authorised: the library issues the code and leads to the TPP. */
async function resume(request: Request, path: string, host: BrowserHost): Promise<Response> {
  return redirected(
    await callProvider(await host.callback(), {
      method: "GET",
      origin: host.webUrl,
      target: path,
      headers: { cookie: request.headers.get("cookie") ?? undefined },
    }),
  );
}

/** Anything but a redirect is the library's refusal (the interaction is over) or its fault. */
async function redirected(answer: Response): Promise<Response> {
  if (answer.status === 503) throw new UnavailableError("what the request needs is away");
  if (answer.status < 300) throw new Error("oidc-provider answered the browser with a page");
  if (answer.status >= 400) throw new LocalFault(answer.status >= 500 ? "fault" : "gone");
  const cookies = answer.headers.getSetCookie().filter((cookie) => INTERACTION.test(cookie));
  answer.headers.delete("set-cookie");
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

/** No browser session is kept (adapter.ts), so its cookie stays here: two authorisations never meet. */
const INTERACTION = /^_interaction(?:_resume)?(?:\.sig)?=/;

type Refusal = { readonly error: unknown; readonly issuer: string };

/** RFC 6749 4.1.2.1 with `iss` (RFC 9207), so that a TPP cannot be led to believe another bank. */
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

function ended({ webUrl }: Hosts, error: unknown): Response {
  if (isUnavailable(error)) {
    logFault(error, "browser host");
    return new Response(null, { status: 503, headers: retryAfter });
  }
  const reason: EndedReason = error instanceof LocalFault ? error.reason : "fault";
  if (!(error instanceof LocalFault)) logFault(error, "browser host");
  return seeOther(endedPage(webUrl, reason));
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location } });
}
