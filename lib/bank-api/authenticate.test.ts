import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as jose from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnavailableError } from "@/lib/domain/errors";
import { formatClientCert } from "@/lib/eidas/client-certificate";
import { makeTestCertificates } from "@/lib/server/testing";
import { authentication } from "./authenticate";

const ISSUER = "https://login.bank.example";
const AUDIENCE = "https://drawbridge.bank.example";

describe("K2: a caller of the bank API", () => {
  let keys: jose.GenerateKeyPairResult;
  let url: string;
  let close: () => void;
  beforeAll(async () => {
    keys = await jose.generateKeyPair("ES256");
    const jwks = {
      keys: [{ ...(await jose.exportJWK(keys.publicKey)), kid: "one", alg: "ES256" }],
    };
    const server = createServer((_request, response) => response.end(JSON.stringify(jwks)));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => server.close();
  });
  afterAll(() => close());

  const settings = () => ({
    SANDBOX: false,
    BANK_API_ISSUER: ISSUER,
    BANK_API_AUDIENCE: AUDIENCE,
    BANK_API_JWKS_URL: url,
    BANK_API_CLIENT_CA: "clients.pem",
    BANK_API_CLIENTS: {},
  });
  const now = () => Math.floor(Date.now() / 1_000);
  const claims = () => ({
    ...{ iss: ISSUER, aud: AUDIENCE, sub: "crm", client_id: "crm", jti: crypto.randomUUID() },
    ...{ iat: now(), exp: now() + 60, scope: "openid permissions:read events:read" },
  });
  const signed = (
    given: object = {},
    header: object = {},
    key: jose.GenerateKeyPairResult["privateKey"] = keys.privateKey,
  ) =>
    new jose.SignJWT({ ...claims(), ...given })
      .setProtectedHeader({ alg: "ES256", kid: "one", typ: "at+jwt", ...header })
      .sign(key);
  const ask = (token: string, more: Readonly<Record<string, string>> = {}) =>
    authentication(settings())(new Headers({ authorization: `Bearer ${token}`, ...more }));

  it("with an access token of the bank's provider has the scopes in it that there are here", async () => {
    const scopes = ["permissions:read", "events:read"];
    expect(await ask(await signed())).toEqual({ actor: "api:crm", scopes });
    const forMaria = await ask(await signed({ sub: "maria" }));
    expect(forMaria.actor).toBe("api:maria by crm");
    expect((await ask(await signed({ scope: undefined }))).scopes).toEqual([]);
  });

  it.each([
    ["of another issuer", { iss: "https://evil.example" }, {}],
    ["for somebody else", { aud: "https://other.bank.example" }, {}],
    ["that has ended", { exp: now() - 60 }, {}],
    ["that never ends", { exp: undefined }, {}],
    ["without its own id", { jti: undefined }, {}],
    ["without a client", { client_id: undefined }, {}],
    ["that is an ID token", {}, { typ: "JWT" }],
    ["of a key that is not the issuer's", {}, { kid: "two" }],
    ["bound to a certificate that is not shown", { cnf: { "x5t#S256": "abc" } }, {}],
    ["bound by what is not known here", { cnf: { jkt: "abc" } }, {}],
  ])("with a token %s is nobody", async (_what, given, header) => {
    const refusal = { type: "unauthenticated" };
    await expect(ask(await signed(given, header))).rejects.toMatchObject(refusal);
  });

  it("with a token that is not signed by the issuer's key, or by none, is nobody", async () => {
    const refusal = { type: "unauthenticated" };
    const other = await jose.generateKeyPair("ES256");
    await expect(ask(await signed({}, {}, other.privateKey))).rejects.toMatchObject(refusal);
    const none = new jose.UnsecuredJWT(claims()).encode();
    await expect(ask(none)).rejects.toMatchObject(refusal);
    const secret = new TextEncoder().encode("a secret that the issuer has not got, at all");
    const symmetric = await new jose.SignJWT(claims())
      .setProtectedHeader({ alg: "HS256", kid: "one", typ: "at+jwt" })
      .sign(secret);
    await expect(ask(symmetric)).rejects.toMatchObject(refusal);
  });

  it("is not refused, but told to come back, when the keys cannot be had", async () => {
    const away = authentication({ ...settings(), BANK_API_JWKS_URL: "http://127.0.0.1:1/" });
    const headers = new Headers({ authorization: `Bearer ${await signed()}` });
    await expect(away(headers)).rejects.toBeInstanceOf(UnavailableError);
  });

  it("with a certificate has the scopes of its common name, and none has a name that is not listed", async () => {
    const { server } = await makeTestCertificates();
    const der = Buffer.from(server.cert.replace(/-----[^-]+-----|\s/g, ""), "base64");
    const headers = new Headers({ "client-cert": formatClientCert(der) });
    const listed = { ...settings(), BANK_API_CLIENTS: { localhost: ["events:read"] as const } };
    expect(await authentication(listed)(headers)).toEqual({
      actor: "api:CN=localhost",
      scopes: ["events:read"],
    });
    const refusal = { type: "unauthenticated" };
    await expect(authentication(settings())(headers)).rejects.toMatchObject(refusal);
    const unset = { SANDBOX: false };
    await expect(authentication(unset)(headers)).rejects.toMatchObject(refusal);
    await expect(authentication(listed)(new Headers())).rejects.toMatchObject(refusal);
  });
});
