import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { text } from "./http";
import { AuthorisationRefused, OAuthFailed, oauth } from "./oauth";
import { type Answer, answering } from "./testing/http";

const issuer = "https://xs2a.bank.example";
const clientId = "PSDRO-NBR-1234567";
const redirectUri = "https://tpp.example/cb";
const metadata = {
  status: 200,
  body: {
    issuer,
    authorization_endpoint: "http://localhost:3000/auth",
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/token/revocation`,
    authorization_response_iss_parameter_supported: true,
  },
};
const token = {
  status: 200,
  body: { access_token: "at", token_type: "Bearer", expires_in: 900, refresh_token: "rt" },
};

async function flow(...answers: readonly Answer[]) {
  const http = answering(metadata, ...answers);
  const server = await oauth(`${issuer}/.well-known/oauth-authorization-server`, clientId, http);
  const authorisation = await server.authorise("AIS:c-1", redirectUri);
  const cameBack = (parameters: Record<string, string>) =>
    new URL(`${redirectUri}?${new URLSearchParams({ iss: issuer, ...parameters })}`);
  const lastForm = () => new URLSearchParams(text(http.sent.at(-1)?.body ?? new Uint8Array()));
  return { http, server, authorisation, cameBack, lastForm };
}

describe("the authorisation request", () => {
  it("asks for one resource with PKCE S256 and state, as the client the certificate names", async () => {
    const { http, authorisation } = await flow();
    expect(http.sent[0]?.url).toBe(`${issuer}/.well-known/oauth-authorization-server`);
    expect(authorisation.url.origin + authorisation.url.pathname).toBe(
      "http://localhost:3000/auth",
    );
    expect(Object.fromEntries(authorisation.url.searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      scope: "AIS:c-1",
      redirect_uri: redirectUri,
      state: authorisation.state,
      code_challenge: createHash("sha256").update(authorisation.codeVerifier).digest("base64url"),
      code_challenge_method: "S256",
    });
  });
});

describe("the token request", () => {
  it("is authenticated by the TLS certificate alone: client_id and no secret", async () => {
    const { server, authorisation, cameBack, lastForm } = await flow(token);
    const { state } = authorisation;
    const got = await server.token(cameBack({ code: "c", state }), authorisation);
    expect(got).toEqual({ accessToken: "at", refreshToken: "rt", expiresIn: 900 });
    expect(Object.fromEntries(lastForm())).toEqual({
      grant_type: "authorization_code",
      client_id: clientId,
      code: "c",
      redirect_uri: redirectUri,
      code_verifier: authorisation.codeVerifier,
    });
  });

  it("is not made when the PSU did not agree", async () => {
    const { http, server, authorisation, cameBack } = await flow();
    const error = cameBack({ error: "access_denied", state: authorisation.state });
    await expect(server.token(error, authorisation)).rejects.toThrow(AuthorisationRefused);
    expect(http.sent).toHaveLength(1);
  });

  it("is not made for a state or an issuer that is not this authorisation's", async () => {
    const { http, server, authorisation, cameBack } = await flow();
    const { state } = authorisation;
    const forged = cameBack({ code: "c", state: "other" });
    await expect(server.token(forged, authorisation)).rejects.toThrow();
    const mixedUp = cameBack({ code: "c", state, iss: "https://evil.example" });
    await expect(server.token(mixedUp, authorisation)).rejects.toThrow();
    const unnamed = new URL(`${redirectUri}?code=c&state=${state}`);
    await expect(server.token(unnamed, authorisation)).rejects.toThrow("another authorisation");
    expect(http.sent).toHaveLength(1);
  });
});

const discovering = (
  address: string,
  told: Readonly<Record<string, string>> = {},
): ReturnType<typeof oauth> => {
  const http = answering({ ...metadata, body: { ...metadata.body, ...told } });
  return oauth(`${address}/.well-known/oauth-authorization-server`, clientId, http);
};

it.each(["authorization_endpoint", "token_endpoint", "revocation_endpoint"])(
  "a %s without TLS is refused anywhere but on this machine",
  async (name) => {
    await expect(discovering(issuer, { [name]: "http://bank.example/x" })).rejects.toThrow(
      "no TLS",
    );
    await expect(discovering(issuer, { [name]: "http://localhost/x" })).resolves.toBeDefined();
  },
);

it("metadata are not asked for without TLS", async () => {
  const http = answering(metadata);
  await expect(oauth("http://bank.example/metadata", clientId, http)).rejects.toThrow("no TLS");
  expect(http.sent).toEqual([]);
});

it.each(["issuer", "token_endpoint"])(
  "a %s that is no address is a fault of the server",
  async (name) => {
    await expect(discovering(issuer, { [name]: "bank" })).rejects.toThrow(OAuthFailed);
  },
);

it("a server that speaks for another one is not believed", async () => {
  await expect(discovering("https://evil.example")).rejects.toThrow(OAuthFailed);
});
