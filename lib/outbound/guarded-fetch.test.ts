import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { guardedFetch, nameServers, type Resolve } from "./guarded-fetch";
import { fetching, inside } from "./testing";

describe("X6: an address in a private network is not fetched", () => {
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
    await expect(fetching(`http://${host}:${server.port}/`)).rejects.toThrow("private network");
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
      await expect(fetching(`${scheme}://${host}/status`)).rejects.toThrow("private network");
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
    await expect(fetching(url, { resolve })).rejects.toThrow("private network");
    expect(server.connections()).toBe(0);
  });

  it("by localhost, as the machine's name servers know it", async () => {
    const server = await inside();
    for (const host of ["localhost", "LOCALHOST", "localhost."]) {
      const fetch = guardedFetch({ allowedOrigins: [], millisecondsMax: 5_000 });
      const asked = fetch({ url: `http://${host}:${server.port}/`, bytesMax: 1_000 });
      await expect(asked).rejects.toThrow(/private network|queryA/);
    }
    expect(server.connections()).toBe(0);
  });
});

describe("X6: an invalid address is not fetched", () => {
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
      await expect(asked).rejects.toThrow("private network");
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

describe("X6: an answer is bounded", () => {
  const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";

  it("redirects are not followed", async () => {
    const elsewhere = await inside();
    for (const status of [301, 302, 303, 307, 308]) {
      const { origin } = await inside((_request, response) => {
        response.writeHead(status, { location: elsewhere.origin }).end("moved");
      });
      const allowedOrigins = [origin, elsewhere.origin];
      await expect(fetching(origin, { allowedOrigins })).rejects.toThrow(`status ${status}`);
    }
    expect(elsewhere.connections()).toBe(0);
  });

  it.each([201, 204, 400, 404, 500])("status %d is no answer", async (status) => {
    const { origin } = await inside((_request, response) => response.writeHead(status).end());
    await expect(fetching(origin, { allowedOrigins: [origin] })).rejects.toThrow(
      `status ${status}`,
    );
  });

  it("in size, to the byte, with and without Content-Length", async () => {
    const sized = async (size: number, chunked: boolean) => {
      const { origin } = await inside((_request, response) => {
        if (!chunked) response.setHeader("content-length", size);
        response.end(Buffer.alloc(size));
      });
      return fetching(origin, { allowedOrigins: [origin] });
    };
    for (const chunked of [true, false]) {
      expect((await sized(1_000, chunked)).byteLength).toBe(1_000);
      await expect(sized(1_001, chunked)).rejects.toThrow("more than 1000 bytes");
      await expect(sized(10_000_000, chunked)).rejects.toThrow("more than 1000 bytes");
    }
  });

  it("one that is cut short is an error", async () => {
    const { origin } = await inside((_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await expect(fetching(origin, { allowedOrigins: [origin] })).rejects.toThrow();
  });

  it.each([
    ["that never begins", () => undefined],
    ["whose head never ends", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "x: y\r\n")],
    ["whose body never ends", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", "x")],
    ["that changes the protocol", (socket) => socket.write(SWITCHING)],
    ["that goes on promising", (socket) => drip(socket, "", "HTTP/1.1 102 Processing\r\n\r\n")],
  ] satisfies (readonly [string, (socket: Socket) => void])[])(
    "in time: one %s",
    async (_what, serve) => {
      const gone: Promise<unknown>[] = [];
      const server = createServer((socket) => {
        gone.push(new Promise((done) => socket.once("close", done)));
        socket.on("error", () => undefined).resume();
        serve(socket);
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const origin = `http://127.0.0.1:${port}`;
      const asked = fetching(origin, { allowedOrigins: [origin], millisecondsMax: 200 });
      await expect(asked).rejects.toThrow();
      await Promise.all(gone);
      expect(gone).toHaveLength(1);
      server.close();
    },
  );

  it("in time: a name that nobody resolves", async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    const asked = fetching("http://ocsp.example/", { resolve, millisecondsMax: 100 });
    await expect(asked).rejects.toThrow();
  });

  function drip(socket: Socket, first: string, again: string): void {
    socket.write(first);
    const dripping = setInterval(() => socket.write(again), 10);
    socket.on("close", () => clearInterval(dripping));
  }
});

describe("X6: a name's addresses", () => {
  const A = 1;

  /** A name server on loopback that has this IPv4 address for every name, or is silent. */
  async function nameServer(address?: readonly number[]) {
    const asked: string[] = [];
    const socket = createSocket("udp4");
    socket.on("message", (query, from) => {
      const { name, type, end } = questionOf(query);
      asked.push(name);
      if (address === undefined) return;
      const answers = type === A ? [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
      const head = [0x81, 0x80, 0, 1, 0, type === A ? 1 : 0, 0, 0, 0, 0];
      const answer = [...query.subarray(0, 2), ...head, ...query.subarray(12, end), ...answers];
      socket.send(Uint8Array.from(answer), from.port, from.address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${socket.address().port}`]);
    onTestFinished(() => {
      resolver.cancel();
      socket.close();
    });
    return { asked, resolve: nameServers(resolver) };
  }

  /** RFC 1035 4.1.2: labels, each after its length, then type and class. */
  function questionOf(query: Buffer) {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
  }

  it("come from the name servers", async () => {
    const { asked, resolve } = await nameServer([81, 196, 12, 34]);
    expect(await resolve("ocsp.example")).toEqual([{ address: "81.196.12.34", family: 4 }]);
    expect(asked).toEqual(["ocsp.example", "ocsp.example"]);
  });

  it("that lead into a private network are refused", async () => {
    const { asked, resolve } = await nameServer([10, 0, 0, 1]);
    const fetch = guardedFetch({ allowedOrigins: [], millisecondsMax: 5_000, resolve });
    const fetched = fetch({ url: "http://ocsp.example/", bytesMax: 1_000 });
    await expect(fetched).rejects.toThrow("private network");
    expect(asked).toContain("ocsp.example");
  });

  it("are asked for all at once, and waited for no longer than for an answer", async () => {
    const { asked, resolve } = await nameServer();
    const fetch = guardedFetch({ allowedOrigins: [], millisecondsMax: 500, resolve });
    const names = Array.from({ length: 8 }, (_, index) => `ocsp${index}.example`);
    const fetched = names.map((name) => fetch({ url: `http://${name}/`, bytesMax: 1_000 }));
    const ends = await Promise.allSettled(fetched);
    expect(ends.map(({ status }) => status)).toEqual(names.map(() => "rejected"));
    expect(new Set(asked)).toEqual(new Set(names));
  });
});
