import * as oauth from "oauth4webapi";
import { type Dispatcher, fetch as undiciFetch } from "undici";

export type AccessToken = {
  readonly current: (signal: AbortSignal) => Promise<string>;
  /** It was not accepted: the next call asks for another one. */
  readonly forget: (token: string) => void;
};

type ClientCredentials = {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  readonly dispatcher?: Dispatcher | undefined;
  /** Over plain HTTP, on one machine alone. */
  readonly insecure?: boolean | undefined;
};

/** Before its end a token is replaced, so that none ends on its way. */
const MARGIN_SECONDS = 30;

/** Of a request for a token, whichever of its callers began it. */
const ANSWER_MS_MAX = 5_000;

/** RFC 6749 4.4; one token at a time for all callers. */
export function clientCredentialsToken(settings: ClientCredentials): AccessToken {
  const { tokenUrl, clientId, clientSecret, scope, dispatcher, insecure = false } = settings;
  const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
  const client = { client_id: clientId };
  let held: { readonly token: string; readonly until: number } | undefined;
  let asking: Promise<string> | undefined;

  async function ask(): Promise<string> {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretBasic(clientSecret),
      scope === undefined ? {} : { scope },
      {
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        [oauth.allowInsecureRequests]: insecure,
        [oauth.customFetch]: (url, options) =>
          undiciFetch(url, { ...options, dispatcher } as never) as never,
      },
    );
    const answer = await oauth.processClientCredentialsResponse(server, client, response);
    const lifeSeconds = answer.expires_in ?? 60;
    held = {
      token: answer.access_token,
      until: performance.now() + Math.max(0, lifeSeconds - MARGIN_SECONDS) * 1_000,
    };
    return answer.access_token;
  }

  return {
    current: async (signal) => {
      if (held !== undefined && performance.now() < held.until) return held.token;
      signal.throwIfAborted();
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      const late = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return Promise.race([asking, late]);
    },
    forget: (token) => {
      if (held?.token === token) held = undefined;
    },
  };
}

export function fixedToken(token: string): AccessToken {
  return { current: async () => token, forget: () => undefined };
}
