import { X509Certificate } from "node:crypto";
import { EventEmitter, once } from "node:events";
import https from "node:https";
import net from "node:net";
import { networkInterfaces } from "node:os";
import tls from "node:tls";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fromTls } from "./client-certificate";
import { brokenTppRequest } from "./client-errors";
import { freePort } from "./database-port";
import { type Host, listen } from "./listeners";
import { makeTestCertificates } from "./testing/certificates";
import { echo, openHost } from "./testing/host";
import { get } from "./testing/raw-request";
import { tppHost } from "./tpp-host";

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
    const answer = await get({ port: await openTls(), tls: {} }, "/jwks", ["Client-Cert: :AAAA:"]);
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
      socket.renegotiate({}, (error) => (error === null ? resolve("renewed") : resolve("refused")));
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
