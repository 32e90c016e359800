import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorisationServer } from "./authorisation-server";
import { issuer, type TestBank, testBank, webUrl } from "./testing/bank";
import { errorOf, post } from "./testing/tpp-journey";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
});
afterAll(() => bank.close());

const get = (path: string, init: RequestInit = {}) =>
  bank.server.serve(new Request(`${issuer}${path}`, init));

describe("metadata and keys", () => {
  it("publishes RFC 8414 metadata: what is offered, each endpoint on its host", async () => {
    const answer = await get("/.well-known/oauth-authorization-server");
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual({
      issuer: "https://xs2a.bank.example",
      authorization_endpoint: "http://localhost:3000/auth",
      token_endpoint: "https://xs2a.bank.example/token",
      jwks_uri: "https://xs2a.bank.example/jwks",
      revocation_endpoint: "https://xs2a.bank.example/token/revocation",
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["tls_client_auth"],
      revocation_endpoint_auth_methods_supported: ["tls_client_auth"],
      tls_client_certificate_bound_access_tokens: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  it("publishes the public half of the signing key and nothing more", async () => {
    const { keys } = (await (await get("/jwks")).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual([
      "alg",
      "crv",
      "kid",
      "kty",
      "use",
      "x",
      "y",
    ]);
  });

  it.each([
    "/.well-known/openid-configuration",
    "/me",
    "/request",
    "/session/end",
    "/token/",
    "/TOKEN",
  ])("has no %s", async (path) => {
    expect(await errorOf(await get(path, { method: "POST" }))).toBe("404 invalid_request");
  });
});

describe("every answer", () => {
  const id = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";

  it.each<[string, string, RequestInit]>([
    ["200", "/jwks", {}],
    ["401", "/token", { method: "POST" }],
    ["404", "/unknown", {}],
    ["405", "/token", {}],
    ["413", "/token", { method: "POST", body: "x".repeat(65_537) }],
  ])("carries the caller's ids: %s", async (status, path, init) => {
    const headers = { "X-Request-ID": id, "x-fapi-interaction-id": id.toUpperCase() };
    const answer = await get(path, { ...init, headers });
    expect(String(answer.status)).toBe(status);
    expect(answer.headers.get("x-request-id")).toBe(id);
    expect(answer.headers.get("x-fapi-interaction-id")).toBe(id.toUpperCase());
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toMatch(/json/);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it("S10: makes ids of its own when the caller's are none", async () => {
    const headers = { "X-Request-ID": "'; drop table", "x-fapi-interaction-id": "" };
    const answer = await get("/jwks", { headers });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get("x-fapi-interaction-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("names the one method that is offered", async () => {
    const answer = await get("/token", { method: "DELETE" });
    expect(answer.headers.get("allow")).toBe("POST");
    expect(await errorOf(answer)).toBe("405 invalid_request");
    expect((await get("/jwks", { method: "OPTIONS" })).status).toBe(405);
  });

  it("is JSON even for a caller that would rather have HTML", async () => {
    const headers = { accept: "text/html", "content-type": "application/json", ...clientCert() };
    const answer = await get("/token", { method: "POST", headers, body: "{}" });
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await errorOf(answer)).toBe("400 invalid_request");
  });

  it("says server_error and no more about a fault of the bank's own", async () => {
    const broken = {
      find: () => Promise.reject(new Error("password of the database")),
      remember: async () => undefined,
    };
    const server = authorisationServer({ ...bank.ports, tppRegister: broken });
    const answer = await post({ ...bank, server }, { client_id: example.tpp.id }, example);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('{"error":"server_error"}');
    const clock = { now: () => Promise.reject(new Error("no clock")) };
    const early = authorisationServer({ ...bank.ports, clock });
    const earlier = await post({ ...bank, server: early }, { client_id: example.tpp.id }, example);
    expect(await earlier.text()).toBe('{"error":"server_error"}');
    const browser = await early.serve(new Request(`${webUrl}/auth?client_id=${example.tpp.id}`));
    expect(browser.headers.get("location")).toBe(`${webUrl}/authorise/ended?reason=fault`);
  });
});

describe("X1: a body", () => {
  it("over 64 KiB is refused, announced or not", async () => {
    const body = "a".repeat(65_537);
    const init = { method: "POST", headers: clientCert(), body };
    expect(await errorOf(await get("/token", init))).toBe("413 invalid_request");
    const stream = new Blob([body]).stream();
    const streamed = { ...init, body: stream, duplex: "half" } as RequestInit;
    expect(await errorOf(await get("/token", streamed))).toBe("413 invalid_request");
  });
});

function clientCert() {
  return { "client-cert": example.clientCert };
}
