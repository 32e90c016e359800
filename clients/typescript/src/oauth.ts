import { createHash, randomBytes } from "node:crypto";
import { type Http, text } from "./http";

/** An authorisation under way: what the TPP has to remember until the PSU comes back. */
export type AuthorisationRequest = {
  /** The address for the PSU's browser. */
  readonly url: URL;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
};

export type Token = {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly scope?: string;
  /** Seconds. */
  readonly expiresIn?: number;
};

/** What this client reads of the authorisation server's metadata (RFC 8414). */
export type ServerMetadata = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
  /** RFC 9207; the bank of a redirect without `iss` may then be another than the one that was asked. */
  readonly authorization_response_iss_parameter_supported?: boolean;
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

/** The authorisation server refused a request, or said what no server should; the message says which. */
export class OAuthFailed extends Error {
  override readonly name = "OAuthFailed";
  /** The server's code and HTTP status, where its answer is what failed (RFC 6749, 5.2). */
  readonly error: string | undefined;
  readonly status: number | undefined;

  constructor(
    message: string,
    answer: { readonly error?: string | undefined; readonly status?: number } = {},
  ) {
    super(message);
    this.error = answer.error;
    this.status = answer.status;
  }
}

export type OAuth = Awaited<ReturnType<typeof oauth>>;

/**
 * The bank's authorisation server, found through the consent's `scaOAuth` link (RFC 8414). The TPP
 * is its certificate: no registration and no secret (RFC 8705, tls_client_auth).
 */
export async function oauth(scaOAuth: string, clientId: string, http: Http) {
  const metadata = await discovered(scaOAuth, http);

  const post = (url: string, parameters: Readonly<Record<string, string>>) =>
    json(http, {
      method: "POST",
      url,
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: Buffer.from(new URLSearchParams({ client_id: clientId, ...parameters }).toString()),
    });

  return {
    metadata,

    /** Asks for one resource, e.g. `AIS:<consentId>`; PKCE S256 and a state of its own. */
    authorise: (scope: string, redirectUri: string): AuthorisationRequest => {
      const [codeVerifier, state] = [randomText(), randomText()];
      const url = new URL(metadata.authorization_endpoint);
      for (const [name, value] of [
        ["response_type", "code"],
        ["client_id", clientId],
        ["scope", scope],
        ["redirect_uri", redirectUri],
        ["state", state],
        ["code_challenge", createHash("sha256").update(codeVerifier).digest("base64url")],
        ["code_challenge_method", "S256"],
      ] as const) {
        url.searchParams.set(name, value);
      }
      return { url, state, codeVerifier, redirectUri };
    },

    /**
     * The token for the code in the address the PSU came back with. Throws AuthorisationRefused
     * for an `error`, and OAuthFailed when state or issuer are not those of this authorisation.
     */
    token: async (
      cameBack: URL,
      { state, codeVerifier, redirectUri }: Omit<AuthorisationRequest, "url">,
    ): Promise<Token> => {
      const code = codeIn(cameBack, state, metadata);
      return tokenOf(
        await post(metadata.token_endpoint, {
          grant_type: "authorization_code",
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
        }),
      );
    },

    refresh: async (refreshToken: string): Promise<Token> =>
      tokenOf(
        await post(metadata.token_endpoint, {
          grant_type: "refresh_token",
          refresh_token: refreshToken,
        }),
      ),

    revoke: async (token: string): Promise<void> => {
      if (metadata.revocation_endpoint === undefined)
        throw new OAuthFailed("the server revokes no tokens");
      await post(metadata.revocation_endpoint, { token });
    },
  };
}

async function discovered(scaOAuth: string, http: Http): Promise<ServerMetadata> {
  const { origin } = checkedAddress(scaOAuth);
  const answer = await json(http, {
    method: "GET",
    url: scaOAuth,
    headers: { accept: "application/json" },
  });
  const [issuer, authorise, token] = ["issuer", "authorization_endpoint", "token_endpoint"].map(
    (name) => member(answer, name),
  );
  if (issuer === undefined || authorise === undefined || token === undefined)
    throw new OAuthFailed(`${scaOAuth} is no metadata of an authorisation server`);
  // RFC 8414, 3.3: else one server could speak for another.
  if (checkedAddress(issuer).origin !== origin)
    throw new OAuthFailed(`the metadata of ${scaOAuth} name the issuer ${issuer}`);
  const revocation = member(answer, "revocation_endpoint");
  for (const address of [authorise, token, revocation ?? token]) checkedAddress(address);
  return {
    issuer,
    authorization_endpoint: authorise,
    token_endpoint: token,
    ...(revocation !== undefined && { revocation_endpoint: revocation }),
    authorization_response_iss_parameter_supported:
      answer["authorization_response_iss_parameter_supported"] === true,
  };
}

/** A sandbox's browser host has no TLS; anywhere but on this machine that is refused. */
function checkedAddress(address: string): URL {
  if (!URL.canParse(address)) throw new OAuthFailed(`${address} is no address`);
  const url = new URL(address);
  const isOfThisMachine = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isOfThisMachine))
    throw new OAuthFailed(`${url.href} has no TLS`);
  return url;
}

function codeIn({ searchParams: came }: URL, state: string, server: ServerMetadata): string {
  if (came.get("state") !== state) throw new OAuthFailed("the state is not this authorisation's");
  const issuer = came.get("iss");
  const isNamed = issuer !== null || server.authorization_response_iss_parameter_supported === true;
  if (isNamed && issuer !== server.issuer)
    throw new OAuthFailed("the redirect is of another authorisation server");
  const error = came.get("error");
  if (error !== null) throw new AuthorisationRefused(error, came.get("error_description"));
  const code = came.get("code");
  if (code === null) throw new OAuthFailed("the redirect has neither code nor error");
  return code;
}

type Answer = Readonly<Record<string, unknown>>;

/** The members of an answer; an error is thrown in the server's own words (RFC 6749, 5.2). */
async function json(http: Http, request: Parameters<Http["send"]>[0]): Promise<Answer> {
  const { status, body } = await http.send(request);
  const answer = members(text(body));
  if (status === 200) return answer;
  const error = member(answer, "error");
  const reasons = [error, member(answer, "error_description")];
  const said = reasons.filter((reason) => reason !== undefined).join(": ");
  const message = `${new URL(request.url).pathname} answers ${status} ${said}`.trimEnd();
  throw new OAuthFailed(message, { error, status });
}

function members(body: string): Answer {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function member(answer: Answer, name: string): string | undefined {
  const value = answer[name];
  return typeof value === "string" ? value : undefined;
}

function tokenOf(answer: Answer): Token {
  const accessToken = member(answer, "access_token");
  if (accessToken === undefined || member(answer, "token_type")?.toLowerCase() !== "bearer")
    throw new OAuthFailed("the answer holds no bearer token");
  const [refreshToken, scope] = [member(answer, "refresh_token"), member(answer, "scope")];
  const expiresIn = answer["expires_in"];
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(typeof expiresIn === "number" && { expiresIn }),
  };
}

/** 256 bits of it. */
function randomText(): string {
  return randomBytes(32).toString("base64url");
}
