import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { browserHost } from "./browser-host";
import { fromTls, isAmong } from "./client-certificate";
import { brokenTppRequest } from "./fault-answer";
import {
  type AddressSource,
  browserAddress,
  dropBrowserHeaders,
  dropOurHeaders,
  headerFault,
  onlyValue,
  plainPath,
} from "./http";
import { echo, get, makeTestCertificates, openHost } from "./testing";
import { tppHost } from "./tpp-host";

describe("request headers", () => {
  /** A request with these header lines, as Node's server hands it over. */
  async function request(...lines: string[]): Promise<IncomingMessage> {
    let received: IncomingMessage | undefined;
    const port = await openHost({
      broken: brokenTppRequest,
      handle: async (message, response) => {
        received = message;
        response.end();
      },
    });
    await get({ port }, "/", lines);
    if (received === undefined) throw new Error("nothing was received");
    return received;
  }

  const always = ["Host", "localhost", "Connection", "close"];

  describe("headers that only we may set", () => {
    it.each([
      "client-cert",
      "Client-Cert-Chain",
      "Client-Address",
      "X-Forwarded-For",
      "x-forwarded-host",
      "Forwarded",
      "X-SSL-Client-Cert",
      "x-middleware-subrequest",
      "X-Proxy-Secret",
      "Content-Security-Policy",
      "x-invoke-path",
      "x-matched-path",
      "Client_Cert",
    ])("%s of a caller is dropped", async (name) => {
      const message = await request(`${name}: theirs`, "Accept: */*");
      dropOurHeaders(message);
      expect(message.rawHeaders).toEqual([...always, "Accept", "*/*"]);
      expect(message.headers).toEqual({ host: "localhost", connection: "close", accept: "*/*" });
    });

    it.each(["RSC", "Next-Action", "Next-Router-State-Tree", "X-Nextjs-Data"])(
      "%s means nothing on the TPP host",
      async (name) => {
        const message = await request(`${name}: 1`);
        dropBrowserHeaders(message);
        expect(message.rawHeaders).toEqual(always);
      },
    );
  });

  describe("S4: a header that a signature can cover", () => {
    it.each([
      "Digest",
      "Signature",
      "Date",
      "X-Request-ID",
      "Authorization",
      "Consent-ID",
      "TPP-Redirect-URI",
      "TPP-Signature-Certificate",
      "PSU-IP-Address",
      "PSU-ID",
      "Content-Type",
    ])("%s must not be sent twice", async (name) => {
      const twice = await request(`${name}: one`, `${name.toLowerCase()}: two`);
      expect(headerFault(twice)).toContain("twice");
      expect(headerFault(await request(`${name}: one`))).toBeUndefined();
    });

    it("Host must not be sent twice", async () => {
      expect(headerFault(await request("Host: another"))).toContain("twice");
    });

    it("others may be", async () => {
      expect(headerFault(await request("Accept: a/b", "Accept: c/d"))).toBeUndefined();
    });
  });

  describe("C1: a header name with an underscore", () => {
    it("is refused: a proxy may turn it into another name", async () => {
      expect(headerFault(await request("X_SSL_Client_Cert: theirs"))).toContain("underscore");
    });
  });

  describe("the only value of a header", () => {
    it("is none when it was sent twice, or not at all", async () => {
      const once = await request("Client-Cert: a");
      const twice = await request("Client-Cert: a", "client-cert: b");
      const never = await request();
      const values = [once, twice, never].map((message) => onlyValue(message, "client-cert"));
      expect(values).toEqual(["a", undefined, undefined]);
    });
  });
});

describe("the path of a request target", () => {
  it.each([
    ["/token", "/token"],
    ["/jwks?x=//..", "/jwks"],
    ["/%74oken", "/token"],
    ["/accounts/a%20b", "/accounts/a b"],
  ])("%s is %s", (target, path) => {
    expect(plainPath(target)).toBe(path);
  });

  it("of an OCSP request in base64 is as it came, its slashes escaped", () => {
    for (const request of ["MFQw", "MFQ%2fw%2Bg%3d%3D", "MFQ+w=="]) {
      expect(plainPath(`/sandbox/ocsp/${request}`)).toBe(`/sandbox/ocsp/${request}`);
    }
    for (const other of [
      "MFQ%2f..%2fclock",
      "MFQ%5cw",
      "MFQ%2f/w%2f",
      "%2f%2e%2e",
      "",
      "MFQ%2f\n",
    ]) {
      expect(plainPath(`/sandbox/ocsp/${other}%2f.`)).toBeUndefined();
    }
    expect(plainPath("/sandbox/crl/MFQ%2fw")).toBeUndefined();
    expect(plainPath("/SANDBOX%2focsp/MFQw")).toBeUndefined();
  });

  it.each([
    "",
    "*",
    "token",
    "http://localhost/token",
    "//token",
    "/open-banking//v3.1",
    "/open-banking/../token",
    "/open-banking/./v3.1",
    "/open-banking/%2e%2e/token",
    "/open-banking%2fv3.1",
    "/open-banking/%5c..%5ctoken",
    "/open-banking\\v3.1",
    "/%zz",
    "/%ff",
    "/a%00b",
    "/a%0ab",
    "/token#part",
  ])("%s can be read in two ways: it has none", (target) => {
    expect(plainPath(target)).toBeUndefined();
  });

  it("is what a URL parser makes of it, whenever there is one", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[/a-z.%0-9?#\\]{0,12}$/), (text) => {
        const path = plainPath(`/${text}`);
        if (path === undefined) return;
        const { pathname } = new URL(`/${text}`, "http://localhost");
        expect(decodeURIComponent(pathname)).toBe(path);
      }),
    );
  });
});

describe("client address", () => {
  let certificates: Awaited<ReturnType<typeof makeTestCertificates>>;
  beforeAll(async () => {
    certificates = await makeTestCertificates();
  });

  describe("B4: the address that the TPP calls from", () => {
    const forged = ["Client-Address: 81.196.12.34"];
    const handle = tppHost(echo, fromTls());

    it("is the peer of its TLS connection, whatever it writes into a header", async () => {
      const { server, client } = certificates;
      const port = await openHost({ handle, tls: server, broken: brokenTppRequest });
      const answer = await get({ port, tls: client }, "/jwks", forged);
      expect(JSON.parse(answer.body).headers).toMatchObject({ "client-address": "127.0.0.1" });
    });

    it("is not known behind a proxy, which is the peer itself", async () => {
      const port = await openHost({ handle, broken: brokenTppRequest });
      const answer = await get({ port }, "/jwks", forged);
      expect(JSON.parse(answer.body).headers).not.toHaveProperty("client-address");
    });
  });

  describe("P5: the address that a browser calls from", () => {
    async function seenFrom(source: AddressSource, proxies: readonly string[], headers: string[]) {
      const handle = browserHost(echo, {
        webUrl: new URL("http://localhost:3000"),
        publicFiles: new Set(),
        addressOf: browserAddress(source, isAmong(proxies)),
      });
      const port = await openHost({ setting: "WEB_PORT", handle, broken: () => "" });
      return JSON.parse((await get({ port }, "/", headers)).body).headers["client-address"];
    }
    const machine = ["127.0.0.1", "::1"];
    const forged = "Client-Address: 81.196.12.34";

    it("is that of its connection, whatever it writes into a header", async () => {
      const written = [forged, "X-Forwarded-For: 81.196.12.34", "Forwarded: for=81.196.12.34"];
      expect(await seenFrom("socket", machine, written)).toBe("127.0.0.1");
    });

    it("is the last that the proxy has added, and none of those that the caller wrote", async () => {
      const sent = [
        forged,
        "X-Forwarded-For: 8.8.8.8, 81.196.12.34",
        "X-Forwarded-For: 2001:db8::1",
      ];
      expect(await seenFrom("forwarded", machine, sent)).toBe("2001:db8::1");
      for (const none of [[], ["X-Forwarded-For: unknown"], ["X-Forwarded-For: 8.8.8.8,"]]) {
        expect(await seenFrom("forwarded", machine, none)).toBeUndefined();
      }
    });

    it("is not believed from anybody but the proxy, and not known where there is no way to know it", async () => {
      const sent = [forged, "X-Forwarded-For: 81.196.12.34"];
      expect(await seenFrom("forwarded", ["10.0.0.1"], sent)).toBeUndefined();
      expect(await seenFrom("none", machine, sent)).toBeUndefined();
    });
  });
});
