import assert from "node:assert/strict";
import * as lib from "oauth4webapi";
import * as client from "openid-client";
import { fetchOver, granted } from "@/clients/typescript/src";
import { consentRequest } from "@/e2e/harness/consent-request";
import type { TestTpp } from "@/e2e/harness/test-tpp";
import type { Check, Setting, Suite } from "./check";

const PATIENCE_MS = 60_000;

/** What a strict client library has to be able to do here, each in its own words. */
type StrictClient = {
  /** Reads the metadata; throws at what RFC 8414 does not allow. */
  readonly discover: () => Promise<unknown>;
  readonly authorisationUrl: (scope: string, verifier: string, state: string) => Promise<URL>;
  /** Checks `state` and `iss` of the redirect, and redeems its code. */
  readonly redeem: (cameBack: URL, verifier: string, state: string) => Promise<Tokens>;
  readonly refresh: (refreshToken: string) => Promise<Tokens>;
  readonly revoke: (token: string) => Promise<void>;
};
type Tokens = { readonly access_token: string; readonly refresh_token?: string | undefined };

export const oauth4webapi: Suite = {
  name: "oauth4webapi as the TPP's client",
  checks: async (setting) => {
    const tpp = await setting.newTpp();
    return wholeFlow(setting, tpp, withOauth4webapi(tpp));
  },
};

export const openidClient: Suite = {
  name: "openid-client as the TPP's client",
  checks: async (setting) => {
    const tpp = await setting.newTpp();
    return wholeFlow(setting, tpp, withOpenidClient(tpp));
  },
};

function wholeFlow({ newPsu }: Setting, tpp: TestTpp, own: StrictClient): readonly Check[] {
  let tokens: Tokens | undefined;
  let consentId = "";
  const { verifier, state } = { verifier: "v".repeat(64), state: "state-of-a-strict-client" };
  const newConsent = async () => {
    const redirects = { redirectUri: tpp.redirectUri, nokRedirectUri: tpp.nokRedirectUri };
    return granted(await tpp.bank.createConsent(consentRequest(), redirects)).consentId;
  };
  const open = async () => {
    consentId = await newConsent();
    const psu = newPsu();
    await psu.open(await own.authorisationUrl(`AIS:${consentId}`, verifier, state));
    return psu;
  };
  const got = (): Tokens => {
    if (tokens === undefined) throw new Error("there is no token, see above");
    return tokens;
  };
  return [
    { name: "discovery (RFC 8414) is accepted", run: own.discover },
    {
      name: "a PSU's refusal comes back as access_denied, with state and iss (RFC 9207)",
      run: async () => {
        const psu = await open();
        await psu.cancel();
        const cameBack = await tpp.listener.next(PATIENCE_MS);
        await assert.rejects(own.redeem(cameBack, verifier, state), { error: "access_denied" });
      },
    },
    {
      name: "PKCE, code, state and iss are accepted, and the code gets a token",
      run: async () => {
        const psu = await open();
        await psu.agree("ana", tpp.name);
        const cameBack = await tpp.listener.next(PATIENCE_MS);
        tokens = await own.redeem(cameBack, verifier, state);
        const again = own.redeem(cameBack, verifier, state);
        await assert.rejects(again, { error: "invalid_grant", status: 400 });
      },
    },
    {
      name: "another code gets a token that reads the accounts",
      run: async () => {
        const psu = await open();
        await psu.agree("ana", tpp.name);
        tokens = await own.redeem(await tpp.listener.next(PATIENCE_MS), verifier, state);
        const accessToken = tokens.access_token;
        granted(await tpp.bank.accounts({ consentId, accessToken }));
      },
    },
    {
      name: "the refresh token gets another access token, which reads the accounts too",
      run: async () => {
        tokens = await own.refresh(String(got().refresh_token));
        const accessToken = tokens.access_token;
        granted(await tpp.bank.accounts({ consentId, accessToken }));
      },
    },
    {
      name: "the refresh token is revoked (RFC 7009), and gets invalid_grant from then on",
      run: async () => {
        const refreshToken = String(got().refresh_token);
        await own.revoke(refreshToken);
        await assert.rejects(own.refresh(refreshToken), { error: "invalid_grant", status: 400 });
      },
    },
    {
      name: "an unknown token is revoked without an error",
      run: () => own.revoke("no-token-of-this-bank"),
    },
  ];
}

function withOauth4webapi(tpp: TestTpp): StrictClient {
  const issuer = new URL(tpp.xs2aUrl);
  const over = { [lib.customFetch]: fetchOver(tpp.http) };
  const who: lib.Client = { client_id: tpp.id };
  const auth = lib.TlsClientAuth();
  let known: lib.AuthorizationServer | undefined;
  const server = async () => {
    const found = await lib.discoveryRequest(issuer, { algorithm: "oauth2", ...over });
    known ??= await lib.processDiscoveryResponse(issuer, found);
    return known;
  };
  return {
    discover: server,
    authorisationUrl: async (scope, verifier, state) => {
      const url = new URL(String((await server()).authorization_endpoint));
      const parameters = {
        response_type: "code",
        client_id: tpp.id,
        scope,
        redirect_uri: tpp.redirectUri,
        state,
        code_challenge: await lib.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      };
      url.search = new URLSearchParams(parameters).toString();
      return url;
    },
    redeem: async (cameBack, verifier, state) => {
      const as = await server();
      const valid = lib.validateAuthResponse(as, who, cameBack, state);
      const { redirectUri } = tpp;
      return lib.processAuthorizationCodeResponse(
        as,
        who,
        await lib.authorizationCodeGrantRequest(as, who, auth, valid, redirectUri, verifier, over),
      );
    },
    refresh: async (refreshToken) => {
      const as = await server();
      const answer = await lib.refreshTokenGrantRequest(as, who, auth, refreshToken, over);
      return lib.processRefreshTokenResponse(as, who, answer);
    },
    revoke: async (token) => {
      const as = await server();
      await lib.processRevocationResponse(await lib.revocationRequest(as, who, auth, token, over));
    },
  };
}

function withOpenidClient(tpp: TestTpp): StrictClient {
  let known: client.Configuration | undefined;
  const server = async () => {
    known ??= await client.discovery(
      new URL(tpp.xs2aUrl),
      tpp.id,
      undefined,
      client.TlsClientAuth(),
      {
        algorithm: "oauth2",
        [client.customFetch]: fetchOver(tpp.http),
        // The sandbox's browser host is on this machine and speaks plain HTTP.
        execute: [client.allowInsecureRequests],
      },
    );
    return known;
  };
  return {
    discover: server,
    authorisationUrl: async (scope, verifier, state) =>
      client.buildAuthorizationUrl(await server(), {
        scope,
        redirect_uri: tpp.redirectUri,
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }),
    redeem: async (cameBack, verifier, state) =>
      client.authorizationCodeGrant(await server(), cameBack, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      }),
    refresh: async (refreshToken) => client.refreshTokenGrant(await server(), refreshToken),
    revoke: async (token) => client.tokenRevocation(await server(), token),
  };
}
