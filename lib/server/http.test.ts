import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { isAmong } from "@/lib/ip-address";
import { browserHost } from "./browser-host";
import { fromTls } from "./client-certificate";
import { brokenTppRequest } from "./fault-answer";
import { type AddressSource, browserAddress, plainPath } from "./http";
import { echo, get, makeTestCertificates, openHost } from "./testing";
import { tppHost } from "./tpp-host";

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

describe("the address of a caller", () => {
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
        part: "psu",
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

    it("is believed from the proxy alone, and unknown where no source is set", async () => {
      const sent = [forged, "X-Forwarded-For: 81.196.12.34"];
      expect(await seenFrom("forwarded", ["10.0.0.1"], sent)).toBeUndefined();
      expect(await seenFrom("none", machine, sent)).toBeUndefined();
    });
  });
});
