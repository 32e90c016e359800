import { describe, expect, it } from "vitest";
import { guardedFetch } from "./guarded-fetch";
import type { Resolve } from "./public-lookup";
import { fetching, inside } from "./testing/inside";

describe("X6: an address inside the house is not fetched", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "①②⑦.⓪.⓪.①",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "0.0.0.0",
    "0",
    "[::]",
  ])("of loopback, spelt %s", async (host) => {
    const server = await inside();
    await expect(fetching(`http://${host}:${server.port}/`)).rejects.toThrow("inside the house");
    expect(server.connections()).toBe(0);
  });

  it.each([
    ["the cloud's metadata", "169.254.169.254"],
    ["the cloud's metadata", "[fd00:ec2::254]"],
    ["the cloud's metadata", "[::ffff:169.254.169.254]"],
    ["the cloud's metadata", "0xa9fea9fe"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.254"],
    ["private", "192.168.1.1"],
    ["private", "[fc00::1]"],
    ["link-local", "[fe80::1]"],
    ["between providers", "100.64.0.1"],
    ["multicast", "224.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["translated from IPv4", "[64:ff9b::7f00:1]"],
    ["6to4", "[2002:7f00:1::1]"],
    ["Teredo", "[2001:0:7f00:1::1]"],
  ])("%s: %s", async (_what, host) => {
    for (const scheme of ["http", "https"]) {
      await expect(fetching(`${scheme}://${host}/status`)).rejects.toThrow("inside the house");
    }
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback of IPv6", ["::1"]],
    ["IPv4 within IPv6", ["::ffff:10.0.0.1"]],
    ["the cloud's metadata", ["169.254.169.254"]],
    ["a private one beside a public one", ["81.196.12.34", "192.168.1.1"]],
    ["an interface of this machine", ["fe80::1%eth0"]],
    ["no address", ["localhost"]],
  ])("by a name that has %s", async (_what, addresses) => {
    const server = await inside();
    const resolve: Resolve = async () => addresses.map((address) => ({ address, family: 4 }));
    const url = `http://ocsp.example:${server.port}/`;
    await expect(fetching(url, { resolve })).rejects.toThrow("inside the house");
    expect(server.connections()).toBe(0);
  });

  it("by localhost, as the machine's name servers know it", async () => {
    const server = await inside();
    for (const host of ["localhost", "LOCALHOST", "localhost."]) {
      const fetch = guardedFetch({ allowedOrigins: [], millisecondsMax: 5_000 });
      const asked = fetch({ url: `http://${host}:${server.port}/`, bytesMax: 1_000 });
      await expect(asked).rejects.toThrow(/inside the house|queryA/);
    }
    expect(server.connections()).toBe(0);
  });
});

describe("X6: what is no plain address is not fetched", () => {
  it.each([
    ["file:///etc/passwd", "neither http nor https"],
    ["ftp://ocsp.example/", "neither http nor https"],
    ["gopher://ocsp.example/", "neither http nor https"],
    ["data:text/plain,good", "neither http nor https"],
    ["ldap://ocsp.example/cn=ca", "neither http nor https"],
    ["http://user@ocsp.example/", "names a user"],
    ["http://user:word@ocsp.example/", "names a user"],
    ["http://:word@ocsp.example/", "names a user"],
    ["http://ocsp.example@127.0.0.1/", "names a user"],
    ["//ocsp.example/", "Invalid URL"],
    ["http://", "Invalid URL"],
    ["http://ocsp.example:99999/", "Invalid URL"],
  ])("%s", async (url, reason) => {
    await expect(fetching(url)).rejects.toThrow(reason);
  });
});

describe("X6: an origin that is allowed by name", () => {
  it("is fetched, by GET or by POST", async () => {
    const { origin } = await inside(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { "content-type": type = "none" } = request.headers;
      response.end(`${request.method} ${request.url} ${type} ${body}`);
    });
    const fetch = guardedFetch({ allowedOrigins: [origin], millisecondsMax: 5_000 });
    const text = async (body?: { bytes: Uint8Array; type: string }) => {
      const asked = { url: `${origin}/ocsp?a=b`, bytesMax: 1_000, ...(body && { body }) };
      return Buffer.from(await fetch(asked)).toString();
    };
    expect(await text()).toBe("GET /ocsp?a=b none ");
    const body = { bytes: Buffer.from("asked"), type: "application/ocsp-request" };
    expect(await text(body)).toBe("POST /ocsp?a=b application/ocsp-request asked");
  });

  it("is that one and no other: scheme, host and port, letter for letter", async () => {
    const { port, connections } = await inside();
    const resolve: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const others = [
      `http://127.0.0.1:${port + 1}`,
      "http://127.0.0.1",
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}.example`,
      `http://[::ffff:127.0.0.1]:${port}`,
    ];
    for (const origin of others) {
      const asked = fetching(`http://127.0.0.1:${port}/`, { allowedOrigins: [origin], resolve });
      await expect(asked).rejects.toThrow("inside the house");
    }
    expect(connections()).toBe(0);
  });

  it("gets no user's name either", async () => {
    const { port, origin, connections } = await inside();
    const asked = fetching(`http://user:word@127.0.0.1:${port}/`, { allowedOrigins: [origin] });
    await expect(asked).rejects.toThrow("names a user");
    expect(connections()).toBe(0);
  });
});
