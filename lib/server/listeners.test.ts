import { X509Certificate } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import net from "node:net";
import { networkInterfaces } from "node:os";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import tls from "node:tls";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fromTls } from "./client-certificate";
import { bankLimits } from "./connections";
import { freePort } from "./embedded-database";
import { brokenTppRequest } from "./fault-answer";
import { type Host, listen } from "./listeners";
import { echo, get, makeTestCertificates, openHost, openTppHost } from "./testing";
import { type Handler, tppHost } from "./tpp-host";

describe("a listener", () => {
  let certificates: Awaited<ReturnType<typeof makeTestCertificates>>;
  beforeAll(async () => {
    certificates = await makeTestCertificates();
  });

  function openTls() {
    const handle = tppHost(echo, fromTls());
    return openHost({ handle, tls: certificates.server, broken: brokenTppRequest });
  }

  function plain(port: number, handle: Host["handle"] = echo): Host {
    return { setting: "WEB_PORT", port, loopbackOnly: true, handle, broken: brokenTppRequest };
  }

  describe("the TLS of the TPP host", () => {
    it("brings the client certificate to the handler as an RFC 9440 header", async () => {
      const answer = await get({ port: await openTls(), tls: certificates.client }, "/jwks");
      const der = new X509Certificate(certificates.client.cert).raw.toString("base64");
      expect(JSON.parse(answer.body).headers["client-cert"]).toBe(`:${der}:`);
    });

    it("asks for a certificate and does not demand one", async () => {
      const answer = await get({ port: await openTls(), tls: {} }, "/jwks");
      expect(JSON.parse(answer.body).headers["client-cert"]).toBeUndefined();
    });

    it("C1: a header does not stand in for a certificate", async () => {
      const answer = await get({ port: await openTls(), tls: {} }, "/jwks", [
        "Client-Cert: :AAAA:",
      ]);
      expect(answer.body).not.toContain("AAAA");
    });

    it.each(["TLSv1.2", "TLSv1.3"] as const)(
      "%s: a resumed session has the certificate of the first",
      async (version) => {
        const port = await openTls();
        const agent = new https.Agent({
          ...certificates.client,
          maxVersion: version,
          rejectUnauthorized: false,
          maxCachedSessions: 10,
        });
        const seen: unknown[] = [];
        for (let call = 0; call < 2; call += 1) {
          const request = https.get({ port, host: "127.0.0.1", path: "/jwks", agent });
          const [response] = await once(request, "response");
          let body = "";
          for await (const chunk of response) body += chunk;
          seen.push(JSON.parse(body).headers["client-cert"]);
        }
        expect(seen[0]).toMatch(/^:.+:$/);
        expect(seen[1]).toBe(seen[0]);
      },
    );

    it("C12: TLS 1.1 is refused", async () => {
      const port = await openTls();
      const old = tls.connect({
        port,
        host: "127.0.0.1",
        rejectUnauthorized: false,
        minVersion: "TLSv1.1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT@SECLEVEL=0",
      });
      const [error] = await once(old, "error");
      expect(String(error.code)).toMatch(/PROTOCOL_VERSION/);
    });

    it("C12: a renegotiation is refused", async () => {
      const port = await openTls();
      const options = { port, host: "127.0.0.1", rejectUnauthorized: false } as const;
      const socket = tls.connect({ ...options, maxVersion: "TLSv1.2" });
      await once(socket, "secureConnect");
      onTestFinished(() => void socket.destroy());
      const refused = Promise.race([once(socket, "error"), once(socket, "close")]);
      const renewed = new Promise((resolve) => {
        socket.renegotiate({}, (error) =>
          error === null ? resolve("renewed") : resolve("refused"),
        );
      });
      expect(await Promise.race([renewed, refused.then(() => "refused")])).toBe("refused");
    });
  });

  it("X2: fifty handshakes begun at once all come to their end", async () => {
    const port = await openTls();
    const options = { ...certificates.client, port, host: "localhost", rejectUnauthorized: false };
    const connections = Array.from({ length: 50 }, () => tls.connect(options));
    onTestFinished(() => {
      for (const connection of connections) connection.destroy();
    });
    await Promise.all(connections.map((connection) => once(connection, "secureConnect")));
  });

  describe("the addresses of a host", () => {
    const others = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");

    it.runIf(others.length > 0)("a sandbox is reached on loopback only", async () => {
      const port = await openHost({ handle: echo, broken: brokenTppRequest });
      const socket = net.connect({ port, host: others[0]?.address });
      const [error] = await once(socket, "error");
      expect(error.code).toBe("ECONNREFUSED");
    });

    it.runIf(others.length > 0)("outside the sandbox on all of them", async () => {
      const port = await freePort(0);
      const listener = await listen({ ...plain(port), loopbackOnly: false });
      onTestFinished(() => listener.close(0));
      const socket = net.connect({ port, host: others[0]?.address });
      await once(socket, "connect");
      socket.destroy();
    });

    it("a port in use is one sentence that names the setting", async () => {
      const port = await openHost({ handle: echo, broken: brokenTppRequest });
      await expect(listen(plain(port))).rejects.toThrow(`WEB_PORT: port ${port} is in use`);
    });

    it("a port in use on one address leaves the other one free again", async () => {
      const squatter = net.createServer().listen(0, "::1");
      await once(squatter, "listening");
      onTestFinished(() => void squatter.close());
      const { port } = squatter.address() as net.AddressInfo;
      await expect(listen(plain(port))).rejects.toThrow("is in use");
      expect(await freePort(port)).toBe(port);
    });
  });

  /** A host whose requests end when the test says so. */
  async function slowHost() {
    const port = await freePort(0);
    const events = new EventEmitter();
    const listener = await listen(
      plain(port, async (_request, response) => {
        events.emit("entered");
        await once(events, "finish");
        response.end("done");
      }),
    );
    const entered = once(events, "entered");
    const answer = get({ port }, "/");
    await entered;
    return { port, listener, answer, finish: () => void events.emit("finish") };
  }

  describe("when a host closes", () => {
    it("a running request is answered, and new ones are not accepted", async () => {
      const { port, listener, answer, finish } = await slowHost();
      const closed = listener.close(3_600_000);
      const late = net.connect({ port, host: "127.0.0.1" });
      const [error] = await once(late, "error");
      expect(error.code).toBe("ECONNREFUSED");
      finish();
      expect((await answer).body).toContain("done");
      await closed;
    });

    it("a request that does not end is cut off after the grace period", async () => {
      const { listener, answer } = await slowHost();
      await listener.close(100);
      expect((await answer).body).toBe("");
    });

    it("a second call does not wait any more", async () => {
      const { listener, answer } = await slowHost();
      const closed = listener.close(3_600_000);
      listener.cut();
      await closed;
      expect((await answer).body).toBe("");
    });

    it("an idle connection that is kept alive does not hold it up", async () => {
      const port = await freePort(0);
      const listener = await listen(plain(port));
      const socket = net.connect({ port, host: "127.0.0.1" });
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await once(socket, "data");
      await listener.close(3_600_000);
      socket.destroy();
    });
  });
});

describe("silent connections", () => {
  it("X2: a connection that never begins its handshake is cut off, and does not count any more", async () => {
    const { server } = await makeTestCertificates();
    const limits = { ...bankLimits(), handshakeMs: 1_000 };
    const port = await openHost({ handle: echo, tls: server, broken: brokenTppRequest, limits });
    const silent = Array.from({ length: 100 }, () => net.connect({ port, host: "127.0.0.1" }));
    onTestFinished(() => {
      for (const socket of silent) socket.destroy();
    });
    const ended = await Promise.all(
      silent.map(async (socket) => {
        await once(socket.resume(), "close");
        return socket.bytesWritten;
      }),
    );
    expect(ended).toEqual(silent.map(() => 0));
  }, 60_000);
});

describe("slow requests", () => {
  /** A client that begins a request and never ends it; yields all it is answered. */
  async function neverEnding(port: number): Promise<() => Promise<string>> {
    const socket = net.connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    const closed = once(socket, "close");
    await once(socket, "connect");
    socket.write("POST /token HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    return async () => {
      await closed;
      return Buffer.concat(chunks).toString();
    };
  }

  it("X2: 200 connections that never end their headers keep nobody waiting, and are cut off", async () => {
    const limits = { ...bankLimits(), headersMs: 2_000 };
    const host = await openTppHost(echo, () => undefined, { limits });
    const slow = await Promise.all(Array.from({ length: 200 }, () => neverEnding(host.port)));
    expect((await get(host, "/jwks")).status).toBe(200);
    const answers = await Promise.all(slow.map((answer) => answer()));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  }, 60_000);
});

describe("a body that is not read", () => {
  /** More than the buffers on the way hold, so that it is not all there when the answer is. */
  const SIZE = 3_000_000;

  const body = "x".repeat(SIZE);
  const declared = [`Content-Length: ${SIZE}`, "", body];
  const chunked = ["Transfer-Encoding: chunked", "", SIZE.toString(16), body, "0", ""];

  /** Refuses a POST after this look at its body, and has nothing against any other request. */
  function refusingAfter(look: (request: IncomingMessage) => unknown): Handler {
    return async (request, response) => {
      const refused = request.method === "POST";
      if (refused) await look(request);
      response.writeHead(refused ? 413 : 200, { "content-type": "application/json" }).end("{}");
    };
  }

  /** The statuses of two requests, one behind the other on one connection. */
  async function statuses(handle: Handler, lines: readonly string[]): Promise<readonly string[]> {
    const { port } = await openTppHost(handle);
    const socket = net.connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    // Written to a connection that has been ended: it is closed then, and that is looked at.
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const answered = new Promise((resolve) => socket.once("data", resolve));
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.write(`POST /token HTTP/1.1\r\nHost: x\r\n${lines.join("\r\n")}\r\n`);
    await Promise.race([answered, closed]);
    socket.write("GET /jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await closed;
    return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => String(status));
  }

  it("X1: of a body of 60 MB that is refused only the beginning is taken in", async () => {
    const { port } = await openTppHost(refusingAfter(async () => undefined));
    const socket = net.connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    const [answer] = await new Promise<readonly Buffer[]>((resolve) => {
      socket.once("data", (...chunks: Buffer[]) => resolve(chunks));
      socket.write("POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 62914560\r\n\r\n");
    });
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    for (let sent = 0; sent < 60; sent += 1) socket.write(megabyte);
    await sleep(500);
    const taken = 60 * megabyte.byteLength - socket.writableLength;
    expect(taken).toBeLessThan(30 * megabyte.byteLength);
    await closed;
  });

  it("X1: nor of one in chunks, which does not say how much there will be", async () => {
    const { port } = await openTppHost(refusingAfter(async () => undefined));
    const socket = net.connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.write("POST /token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `100000\r\n${" ".repeat(1024 * 1024)}\r\n`;
    let sent = 0;
    for (; sent < 60 && !socket.destroyed; sent += 1) {
      socket.write(chunk);
      await sleep(10);
    }
    expect(sent).toBeLessThan(60);
  });

  describe.each([
    ["of a length that was said", declared],
    ["in chunks", chunked],
  ])("X1: a body %s, answered before its end", (_name, lines) => {
    it("does not hold up the next request on its connection when nobody reads it", async () => {
      const handle = refusingAfter(async () => undefined);
      expect(await statuses(handle, lines)).toEqual(["413", "200"]);
    });

    it("nor when somebody reads its beginning, as Next does", async () => {
      const handle = refusingAfter((request) => request[Symbol.asyncIterator]().next());
      expect(await statuses(handle, lines)).toEqual(["413", "200"]);
    });

    it("nor when somebody reads its beginning as a stream of the Web", async () => {
      const handle = refusingAfter((request) => Readable.toWeb(request).getReader().read());
      expect(await statuses(handle, lines)).toEqual(["413", "200"]);
    });

    it("nor when it goes to somebody who takes no more", async () => {
      const handle = refusingAfter((request) => request.pipe(new PassThrough()));
      expect(await statuses(handle, lines)).toEqual(["413", "200"]);
    });

    it("ends the connection when it has been given up, so that no request waits on it", async () => {
      const handle = refusingAfter(async (request) => {
        const reader = Readable.toWeb(request).getReader();
        await reader.read();
        await reader.cancel();
      });
      expect(await statuses(handle, lines)).not.toContain("200");
    });
  });
});
