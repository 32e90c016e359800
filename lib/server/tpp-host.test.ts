import { describe, expect, it } from "vitest";
import { echo, expectFault, get, openTppHost, sendRaw } from "./testing";
import type { Handler } from "./tpp-host";

describe("the paths of the TPP host", () => {
  it.each([
    ["GET", "/open-banking/v3.1/aisp/v1/accounts?withBalance=true"],
    ["DELETE", "/open-banking/v3.1/aisp/v1/consents/1"],
    ["GET", "/open-banking/v3.1/aisp/v1/consents/a%00%0ab%2f%zz/status"],
    ["POST", "/token"],
    ["POST", "/token/revocation"],
    ["GET", "/jwks"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/openapi.json"],
    ["GET", "/token"],
    ["POST", "/jwks"],
    ["POST", "/openapi.json"],
  ])("%s %s goes to its endpoint", async (method, path) => {
    const answer = await get(await openTppHost(echo), path, ["Content-Length: 0"], method);
    expect(JSON.parse(answer.body)).toMatchObject({ method, url: path });
  });

  it.each([
    ["GET", "/"],
    ["GET", "/auth"],
    ["GET", "/auth/x"],
    ["GET", "/authorise/x"],
    ["GET", "/sandbox/phone?psu=ana"],
    ["GET", "/api/auth/session"],
    ["GET", "/_next/static/chunks/main.js"],
    ["GET", "/_next/image?url=/logo.png"],
    ["GET", "/favicon.ico"],
    ["GET", "/docs"],
    ["GET", "/openapi.json/"],
    ["GET", "/token/"],
    ["POST", "/Token"],
    ["GET", "/openbanking"],
    ["GET", "/open-banking"],
    ["GET", "//open-banking/v3.1"],
    ["GET", "/open-banking/"],
    ["GET", "/%6fpen-banking/v3.1/aisp/v1/accounts"],
    ["GET", "http://localhost/auth"],
    ["OPTIONS", "*"],
  ])(
    "C14: %s %s goes to the catch-all, which answers in the standard's form",
    async (method, path) => {
      const answer = await get(await openTppHost(echo), path, [], method);
      expect(JSON.parse(answer.body).url).toBe("/open-banking/unknown");
    },
  );

  it("a method that no route can have goes to one that says 405", async () => {
    const path = "/open-banking/v3.1/aisp/v1/accounts";
    const answer = await get(await openTppHost(echo), path, [], "TRACE");
    expect(JSON.parse(answer.body)).toMatchObject({ method: "OPTIONS", url: path });
  });
});

describe("C1: a client certificate in a header", () => {
  const spellings = [
    ["client-cert: :AAAA:"],
    ["Client-Cert: :AAAA:"],
    ["CLIENT-CERT: :AAAA:"],
    ["cLiEnT-cErT:   :AAAA:  "],
    ["Client-Cert: :AAAA:", "client-cert: :BBBB:"],
    ["x-ssl-client-cert: AAAA"],
    ["Client_Cert: :AAAA:"],
    ["Client-Cert-Chain: :AAAA:"],
  ];

  it.each(spellings)("%s %s does not arrive", async (...lines) => {
    const sent = lines.filter((line) => line !== undefined);
    const answer = await get(await openTppHost(echo), "/open-banking/x", sent);
    expect(answer.body).not.toContain("AAAA");
    expect(answer.body).not.toContain("BBBB");
  });

  it("a folded one does not arrive either", async () => {
    const bytes =
      "GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nClient-Cert:\r\n :AAAA:\r\n\r\n";
    expect((await sendRaw(await openTppHost(echo), bytes)).body).not.toContain("AAAA");
  });

  it("leaves that of the connection", async () => {
    const target = await openTppHost(echo, () => ":T1dO:");
    const answer = await get(target, "/open-banking/x", ["Client-Cert: :AAAA:"]);
    expect(JSON.parse(answer.body).headers["client-cert"]).toBe(":T1dO:");
  });
});

describe("S13: headers that steer the framework", () => {
  it.each([
    ...["Client-Address", "X-Forwarded-For", "x-forwarded-host", "Forwarded", "X-Proxy-Secret"],
    ...["x-middleware-subrequest", "x-invoke-path", "x-matched-path", "Content-Security-Policy"],
    ...["RSC", "Next-Action", "Next-Router-State-Tree", "X-Nextjs-Data"],
  ])("%s does not arrive", async (name) => {
    const lines = [`${name}: theirs`, "Accept: */*"];
    const { headers, rawHeaders } = JSON.parse(
      (await get(await openTppHost(echo), "/jwks", lines)).body,
    );
    expect(headers).toEqual({ host: "localhost", connection: "close", accept: "*/*" });
    expect(rawHeaders).toEqual(["Host", "localhost", "Connection", "close", "Accept", "*/*"]);
  });
});

describe("C1: a header name with an underscore", () => {
  it("is refused: a proxy may turn it into another name", async () => {
    const answer = await get(await openTppHost(echo), "/jwks", ["X_SSL_Client_Cert: theirs"]);
    expectFault(answer, 400, "FORMAT_ERROR");
    expect(answer.body).toContain("underscore");
  });

  it("at the token endpoint too, in OAuth's form (RFC 6749 5.2)", async () => {
    const host = await openTppHost(echo);
    const answer = await get(host, "/token", ["X_SSL_Client_Cert: theirs"], "POST");
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({
      error: "invalid_request",
      error_description: expect.stringContaining("underscore"),
    });
  });
});

describe("S4: a header sent twice", () => {
  const id = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
  const sent = async (...lines: readonly string[]) =>
    get(await openTppHost(echo), "/open-banking/x", lines);

  it.each([
    ...["Digest", "Signature", "Date", "Authorization", "Consent-ID", "Content-Type", "Host"],
    ...["TPP-Redirect-URI", "TPP-Signature-Certificate", "PSU-IP-Address", "PSU-ID"],
  ])("is refused when a signature can cover it: %s", async (name) => {
    const first = name === "Host" ? [] : [`${name}: one`];
    expect((await sent(...first)).status).toBe(200);
    const answer = await sent(...first, `${name.toLowerCase()}: two`, `X-Request-ID: ${id}`);
    expectFault(answer, 400, "FORMAT_ERROR");
    expect(answer.body).toContain("twice");
    expect(answer.headers.get("x-request-id")).toBe(id);
  });

  it("is refused when it is the X-Request-ID, which is not echoed", async () => {
    const answer = await sent(`X-Request-ID: ${id}`, `X-Request-ID: ${id}`);
    expectFault(answer, 400, "FORMAT_ERROR");
    expect(answer.headers.get("x-request-id")).not.toBe(id);
  });

  it("is joined when no signature covers it", async () => {
    const { headers } = JSON.parse((await sent("Accept: a/b", "Accept: c/d")).body);
    expect(headers.accept).toBe("a/b, c/d");
  });
});

describe("every answer is JSON in the standard's form", () => {
  it("when the application fails", async () => {
    const failing: Handler = async () => {
      throw new Error("secret internals");
    };
    const answer = await get(await openTppHost(failing), "/open-banking/x");
    expectFault(answer, 500, "INTERNAL_SERVER_ERROR");
    expect(answer.head + answer.body).not.toContain("secret");
  });

  it.each([
    [404, 404, "RESOURCE_UNKNOWN"],
    [405, 405, "SERVICE_INVALID"],
    [413, 413, "PAYLOAD_TOO_LARGE"],
    [400, 400, "FORMAT_ERROR"],
    [500, 500, "INTERNAL_SERVER_ERROR"],
    [308, 404, "RESOURCE_UNKNOWN"],
    [200, 500, "INTERNAL_SERVER_ERROR"],
  ])("when the framework answers %i with a page", async (given, status, code) => {
    const page: Handler = async (_request, response) => {
      response.statusCode = given;
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.setHeader("Location", "/elsewhere");
      response.setHeader("Content-Length", "13");
      response.write("<h1>");
      response.end("Next</h1>");
    };
    const answer = await get(await openTppHost(page), "/open-banking/x");
    expectFault(answer, status, code);
    expect(answer.headers.get("location")).toBeNull();
  });

  it("when the framework answers with nothing", async () => {
    const bare: Handler = async (_request, response) => void response.writeHead(405).end();
    expectFault(await get(await openTppHost(bare), "/token"), 405, "SERVICE_INVALID");
  });

  it("but an answer without content has none", async () => {
    const deleted: Handler = async (_request, response) => void response.writeHead(204).end();
    const answer = await get(await openTppHost(deleted), "/open-banking/x", [], "DELETE");
    expect([answer.status, answer.body]).toEqual([204, ""]);
  });

  it("but a revocation is answered with nothing (RFC 7009 2.2), and nothing else is", async () => {
    const empty: Handler = async (_request, response) => void response.writeHead(200).end();
    const host = await openTppHost(empty);
    for (const path of ["/token/revocation", "/token/revocation?x=1"]) {
      const answer = await get(host, path, [], "POST");
      expect(answer.status).toBe(200);
      expect(answer.body).not.toContain("tppMessages");
    }
    expectFault(await get(host, "/token", [], "POST"), 500, "INTERNAL_SERVER_ERROR");
  });

  it("without a word of the framework in its headers", async () => {
    const talkative: Handler = async (_request, response) => {
      response.setHeader("vary", "rsc, next-router-state-tree");
      response.setHeader("X-Nextjs-Cache", "HIT");
      response.writeHead(200, { "Content-Type": "application/json", "X-Powered-By": "Next.js" });
      response.end("{}");
    };
    const answer = await get(await openTppHost(talkative), "/open-banking/x");
    expect(answer.status).toBe(200);
    expect(answer.body).toContain("{}");
    expect(answer.head.toLowerCase()).not.toMatch(/vary|next/);
  });
});
