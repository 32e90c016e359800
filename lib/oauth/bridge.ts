import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import inject from "light-my-request";

export type ProviderCall = {
  readonly method: "GET" | "POST";
  /** Scheme and host as configured: what a caller writes into `Host` decides nothing. */
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array;
};

/** The only headers of an answer that leave the house. */
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
export async function callProvider(
  callback: RequestListener,
  call: ProviderCall,
): Promise<Response> {
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

/** A Node request that carries one cookie header, for those library functions that want to see it. */
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
