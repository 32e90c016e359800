import { describe, expect, it } from "vitest";
import { browserHost } from "./browser-host";
import { brokenBrowserRequest } from "./security-headers";
import { echo, openHost } from "./testing/host";
import { get, sendRaw } from "./testing/raw-request";
import type { Handler } from "./tpp-host";

async function open(handle: Handler, url = "http://localhost:3000") {
  const webUrl = new URL(url);
  const host = browserHost(handle, {
    webUrl,
    publicFiles: new Set(["/mark.svg"]),
    addressOf: () => undefined,
  });
  const broken = brokenBrowserRequest(webUrl.protocol === "https:");
  return { port: await openHost({ setting: "WEB_PORT", handle: host, broken }) };
}

const page: Handler = async (request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.setHeader("X-Powered-By", "Next.js");
  response.setHeader("x-nextjs-cache", "HIT");
  response.setHeader("Cache-Control", "s-maxage=31536000");
  response.end(request.url);
};

describe("the paths of the browser host", () => {
  it.each([
    "/",
    "/auth?client_id=x",
    "/auth/abc",
    "/authorise/abc/accounts",
    "/sandbox/phone",
    "/_next/static/a.js",
  ])("%s goes to its page", async (path) => {
    expect(JSON.parse((await get(await open(echo), path)).body).url).toBe(path);
  });

  it.each([
    "/open-banking",
    "/open-banking/v3.1/aisp/v1/accounts",
    "/open-banking/unknown",
    "/%6fpen-banking/v3.1/aisp/v1/accounts",
    "//open-banking/v3.1",
    "/x/../open-banking/v3.1",
    "/token",
    "/token/revocation",
    "/%74oken",
    "/jwks",
    "/openapi.json",
    "/.well-known/oauth-authorization-server",
    "/_next/image?url=/open-banking/unknown",
    "/_next/data/x.json",
    "/%zz",
    "http://localhost/token",
  ])("C14: %s is a page that is not there", async (path) => {
    expect(JSON.parse((await get(await open(echo), path)).body).url).toBe("/no-such-page");
  });
});

describe("C1: a client certificate in a header", () => {
  it.each([
    "client-cert: :AAAA:",
    "Client-Cert: :AAAA:",
    "CLIENT-CERT: :AAAA:",
    "cLiEnT-cErT:   :AAAA:  ",
    "x-ssl-client-cert: AAAA",
    "X-SSL-Client-Cert: AAAA",
    "Client_Cert: :AAAA:",
    "Client-Cert-Chain: :AAAA:",
  ])("%s does not arrive", async (line) => {
    expect((await get(await open(echo), "/", [line])).body).not.toContain("AAAA");
  });
});

describe("the host name", () => {
  it("is ours, whatever the caller writes", async () => {
    const target = await open(echo, "https://bank.example");
    const bytes =
      "GET / HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n";
    const { headers } = JSON.parse((await sendRaw(target, bytes)).body);
    expect(headers.host).toBe("bank.example");
    expect(headers["x-forwarded-proto"]).toBe("https");
    expect(headers["x-forwarded-host"]).toBeUndefined();
  });
});

describe("the security headers", () => {
  it("are on every answer", async () => {
    const { headers } = await get(await open(page), "/auth/x");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("permissions-policy")).toContain("publickey-credentials-get=(self)");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("x-nextjs-cache")).toBeNull();
  });

  it("take the place of what Next has set under their names", async () => {
    const policy = "content-security-policy";
    const other: Handler = async (_request, response) => {
      response.setHeader(policy, "default-src *");
      response.writeHead(200, { "X-Frame-Options": "SAMEORIGIN" }).end();
    };
    const { head, headers } = await get(await open(other), "/");
    expect(headers.get(policy)).toMatch(/^default-src 'none'/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(head.match(/^(content-security-policy|x-frame-options):/gim)).toHaveLength(2);
  });

  it("are on the answer to what is not HTTP, and when the application fails", async () => {
    const failing: Handler = async () => {
      throw new Error("secret internals");
    };
    const answers = [
      await sendRaw(await open(page), "HELLO\r\n\r\n"),
      await get(await open(failing), "/"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 500]);
    for (const { headers, body } of answers) {
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(body).not.toContain("secret");
    }
  });

  it("demand https for the future only where it is spoken", async () => {
    const secure = await get(await open(page, "https://bank.example"), "/");
    expect(secure.headers.get("strict-transport-security")).toContain("max-age=31536000");
    const plain = await get(await open(page), "/");
    expect(plain.headers.get("strict-transport-security")).toBeNull();
  });

  it.each(["/_next/static/a.js", "/mark.svg"])("let %s be kept", async (path) => {
    const answer = await get(await open(page), path);
    expect(answer.headers.get("cache-control")).toBe("s-maxage=31536000");
  });

  it("let no error page be kept, wherever it is", async () => {
    const missing: Handler = async (_request, response) => {
      response.setHeader("Cache-Control", "public, max-age=31536000");
      response.writeHead(404).end();
    };
    const answer = await get(await open(missing), "/_next/static/gone.js");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("X1: a body has an end", () => {
  it.each([
    [1024 * 1024, 200],
    [1024 * 1024 + 1, 413],
  ])("of %s bytes it is answered with %i, before it is read", async (length, status) => {
    const lines = [`Content-Length: ${length}`];
    const answer = await get(await open(page), "/sandbox/workshop", lines, "POST");
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
  });
});
