import * as client from "openid-client";
import { fetchOver, type Http } from "./http";

/** An authorisation under way: what the TPP has to remember until the PSU comes back. */
export type AuthorisationRequest = {
  /** The address for the PSU's browser. */
  readonly url: URL;
  readonly state: string;
  readonly codeVerifier: string;
};

export type Token = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
  /** Seconds. */
  readonly expiresIn?: number;
};

/** The PSU said no, or the bank ended the authorisation. */
export class AuthorisationRefused extends Error {
  override readonly name = "AuthorisationRefused";
  readonly error: string;
  constructor(error: string, description: string | null) {
    super(description ?? error);
    this.error = error;
  }
}

export type OAuth = Awaited<ReturnType<typeof oauth>>;

/**
 * The bank's authorisation server, found through the consent's `scaOAuth` link (RFC 8414). The TPP
 * is its certificate: no registration and no secret (RFC 8705, tls_client_auth).
 */
export async function oauth(scaOAuth: string, clientId: string, http: Http) {
  const over = fetchOver(http);
  const server = await client.discovery(
    new URL(scaOAuth),
    clientId,
    undefined,
    client.TlsClientAuth(),
    { [client.customFetch]: over },
  );
  const metadata = server.serverMetadata();
  allowLoopbackBrowserHost(server, metadata.authorization_endpoint);

  return {
    metadata,

    /** Asks for one resource, e.g. `AIS:<consentId>`; PKCE S256 and a state of its own. */
    authorise: async (scope: string, redirectUri: string): Promise<AuthorisationRequest> => {
      const codeVerifier = client.randomPKCECodeVerifier();
      const state = client.randomState();
      const url = client.buildAuthorizationUrl(server, {
        scope,
        redirect_uri: redirectUri,
        state,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
      return { url, state, codeVerifier };
    },

    /**
     * The token for the code in the address the PSU came back with. Throws AuthorisationRefused
     * for an `error`, and when state or issuer are not those of this authorisation.
     */
    token: async (cameBack: URL, { state, codeVerifier }: AuthorisationRequest): Promise<Token> => {
      const error = cameBack.searchParams.get("error");
      if (error !== null && cameBack.searchParams.get("state") === state) {
        throw new AuthorisationRefused(error, cameBack.searchParams.get("error_description"));
      }
      return tokenOf(
        await client.authorizationCodeGrant(server, cameBack, {
          expectedState: state,
          pkceCodeVerifier: codeVerifier,
        }),
      );
    },

    refresh: async (refreshToken: string): Promise<Token> =>
      tokenOf(await client.refreshTokenGrant(server, refreshToken)),

    revoke: (token: string): Promise<void> => client.tokenRevocation(server, token),
  };
}

function tokenOf(answer: client.TokenEndpointResponse): Token {
  return {
    accessToken: answer.access_token,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
    ...(answer.scope !== undefined && { scope: answer.scope }),
    ...(answer.expires_in !== undefined && { expiresIn: answer.expires_in }),
  };
}

/** A sandbox's browser host has no TLS; anywhere but on this machine that is refused. */
function allowLoopbackBrowserHost(server: client.Configuration, endpoint: string | undefined) {
  if (endpoint === undefined) return;
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    client.allowInsecureRequests(server);
  }
}
