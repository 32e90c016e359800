import type { HttpRequest } from "./http";
import type { Reply } from "./reply";
import type { Headers } from "./signing";

export type CallOptions = {
  readonly headers?: Headers;
  /** The last word on the request, after it has been signed. */
  readonly edit?: (request: SignedRequest) => HttpRequest;
};
export type SignedRequest = HttpRequest & { readonly headers: Headers };

/** What a data call shows: the consent and the access token got for it. */
export type Permission = { readonly consentId: string; readonly accessToken: string };

export type Redirects = { readonly redirectUri: string; readonly nokRedirectUri?: string };

/** Any call; the body is sent as JSON. */
export type Call = <Body>(
  method: string,
  target: string,
  options?: CallOptions & { readonly body?: unknown },
) => Promise<Reply<Body>>;

/** Of a call after which the PSU is redirected to the bank. Throws where nobody says where the PSU is. */
export function visitHeaders(
  psuIpAddress: string | undefined,
  { redirectUri, nokRedirectUri }: Redirects,
  { headers }: CallOptions,
): Headers {
  const address = headers?.["psu-ip-address"] ?? psuIpAddress;
  if (address === undefined)
    throw new Error("the bank demands the PSU's address here: give psuIpAddress");
  return {
    "psu-ip-address": address,
    "tpp-redirect-uri": redirectUri,
    ...(nokRedirectUri !== undefined && { "tpp-nok-redirect-uri": nokRedirectUri }),
    ...headers,
  };
}
