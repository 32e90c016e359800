import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import https from "node:https";
import net from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bankLimits, type ConnectionLimits, connectionsOf, keepConnection } from "./connections";
import { freePort } from "./embedded-database";
import { brokenTppRequest } from "./fault-answer";
import { type Host, listen } from "./listeners";
import { echo, makeTestCertificates } from "./testing";
import { type Handler, tppHost } from "./tpp-host";

/** Low, so that a test opens so many connections quickly. */
const perHostMax = 60;
const perAddressMax = 20;
const lowLimits = { ...bankLimits(), perHostMax, perAddressMax };
const RESOURCE = "/open-banking/v3.1/aisp/v1/accounts";
const HOUR_MS = 3_600_000;
/** More than the buffers of two sockets take. */
const HUGE = "x".repeat(64 * 1024 * 1024);
const strangers = { isProxy: () => false, throughProxy: false };

/** Of the bank, but for a connection that is to be idle for long enough. */
const soonIdle = { ...lowLimits, keepAliveUnknownSeconds: 1 };

/** The TPP host in front of an application that answers everything, unless the test says otherwise. */
async function open(more: Partial<Host> = {}, application: Handler = echo): Promise<number> {
  const port = await freePort(0);
  const handle = tppHost(application, () => undefined);
  const host = {
    setting: "XS2A_PORT",
    port,
    loopbackOnly: true,
    broken: brokenTppRequest,
    limits: lowLimits,
  } as const;
  const listener = await listen({ ...host, handle, ...more });
  onTestFinished(() => listener.close(0));
  return port;
}

type Client = net.Socket & { readonly text: () => string; readonly received: () => number };

/** What comes on the socket. To put it together costs as much as it is long, so it is also counted. */
function reading<Socket extends net.Socket>(socket: Socket): Socket & Client {
  const chunks: Buffer[] = [];
  let length = 0;
  socket
    .on("error", () => undefined)
    .on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.byteLength;
    });
  return Object.assign(socket, {
    text: () => Buffer.concat(chunks).toString(),
    received: () => length,
  });
}

async function connect(port: number, localAddress = "127.0.0.1"): Promise<Client> {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  const client = reading(socket);
  await once(socket, "connect");
  return client;
}

function send(socket: net.Socket, path = RESOURCE): void {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
}

/** Sends a request and waits for its answer, of which it yields the headers. */
async function ask(socket: Client, path = RESOURCE): Promise<Headers> {
  const before = socket.text().length;
  send(socket, path);
  await vi.waitFor(() => expect(socket.text().slice(before)).toContain("\r\n\r\n"), waiting);
  const [, ...lines] = socket.text().slice(before).split("\r\n\r\n")[0]?.split("\r\n") ?? [];
  return new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
}

async function many(count: number, make: () => Promise<Client>): Promise<readonly Client[]> {
  const made: Client[] = [];
  while (made.length < count) {
    const some = Array.from({ length: Math.min(50, count - made.length) }, make);
    made.push(...(await Promise.all(some)));
  }
  return made;
}

const waiting = { timeout: 30_000, interval: 10 };
const isOpen = (socket: net.Socket) => !socket.destroyed && socket.readyState === "open";
const ended = (socket: net.Socket) => vi.waitFor(() => expect(isOpen(socket)).toBe(false), waiting);

async function answered(port: number, from?: string): Promise<Client> {
  const socket = await connect(port, from);
  await ask(socket);
  return socket;
}

describe("X2: when a host is full, the connection that has been idle for longest makes room", () => {
  it("for a new one, whatever was opened first", async () => {
    const port = await open();
    const first = await answered(port);
    const second = await answered(port);
    const others = await many(perHostMax - 2, () => answered(port));
    // Now it is the youngest.
    await ask(first);
    await answered(port);
    await ended(second);
    expect([first, ...others].filter(isOpen)).toHaveLength(perHostMax - 1);
  });

  it("and none while a request or its headers are on the way on all of them", async () => {
    const events = new EventEmitter().setMaxListeners(0);
    let running = 0;
    const slow: Handler = async (request, response) => {
      if (request.url?.endsWith("slow")) {
        running += 1;
        await once(events, "finish");
      }
      return echo(request, response);
    };
    const port = await open({}, slow);
    const withHeaders = await answered(port);
    const busy = await many(perHostMax - 2, () => connect(port));
    for (const socket of busy) send(socket, `${RESOURCE}/slow`);
    await vi.waitFor(() => expect(running).toBe(perHostMax - 2), waiting);
    withHeaders.write("GET / HTTP/1.1\r\nX-A: ");
    const idle = await answered(port);
    const newcomer = await answered(port);
    await ended(idle);
    send(newcomer, `${RESOURCE}/slow`);
    await vi.waitFor(() => expect(running).toBe(perHostMax - 1), waiting);
    const refused = await connect(port);
    await once(refused, "close");
    expect(refused.text()).toBe("");
    expect([withHeaders, newcomer, ...busy].filter(isOpen)).toHaveLength(perHostMax);
    events.emit("finish");
    await vi.waitFor(() => expect(busy[0]?.text()).toContain("200 OK"), waiting);
  });

  it("but first one on which nobody has shown an accepted certificate", async () => {
    const port = await open({ callers: { isProxy: () => true, throughProxy: false } });
    const accepted = await many(perHostMax - 1, () => answered(port));
    const unknown = await connect(port);
    await answered(port);
    await ended(unknown);
    expect(accepted.filter(isOpen)).toHaveLength(perHostMax - 1);
  });

  it("also one that has come to the end of its handshake and asks nothing", async () => {
    const { server } = await makeTestCertificates();
    const port = await open({ tls: server });
    const idle = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
    onTestFinished(() => void idle.destroy());
    // The tickets come when the handshake is over on the other side too.
    await once(idle.on("error", () => undefined).resume(), "session");
    const [silent] = await many(perHostMax - 1, () => connect(port));
    // On a slow machine both have their time limits, of which its own ends first too.
    const first = Promise.race([
      once(idle, "close").then(() => "idle"),
      once(silent as Client, "close").then(() => "silent"),
    ]);
    await connect(port);
    expect(await first).toBe("idle");
  });
});

describe.runIf(process.platform === "linux")(
  "X2: more connections than an address may have",
  () => {
    it("are refused until it has an idle one to end, and another address gets in", async () => {
      // Longer than it takes a slow machine to open all of them.
      const limits = { ...lowLimits, keepAliveUnknownSeconds: 8 };
      const port = await open({ callers: strangers, limits });
      const oldest = await answered(port);
      const others = await many(perAddressMax - 1, () => answered(port));
      await once(await connect(port), "close");
      const elsewhere = await answered(port, "127.0.0.2");
      expect([oldest, elsewhere, ...others].filter(isOpen)).toHaveLength(perAddressMax + 1);
      await vi.waitFor(async () => {
        const next = await connect(port);
        send(next);
        await Promise.race([once(next, "data"), once(next, "close")]);
        expect(next.text()).toContain("200 OK");
      }, waiting);
      await ended(oldest);
      expect([elsewhere, ...others].filter(isOpen)).toHaveLength(perAddressMax);
    });

    it("are taken from a proxy, which has no bound of its own", async () => {
      const port = await open({ callers: { isProxy: () => true, throughProxy: true } });
      const all = await many(perAddressMax + 1, () => answered(port));
      expect(all.filter(isOpen)).toHaveLength(perAddressMax + 1);
      expect((await ask(all[0] as Client, "/jwks")).get("keep-alive")).toBe("timeout=60");
    });
  },
);

describe("X2: a connection on which nobody has shown an accepted certificate", () => {
  it("is kept for a short time, and for the usual one from the first success on", async () => {
    const port = await open({ callers: strangers, limits: soonIdle });
    const accepted = await connect(port);
    expect((await ask(accepted, "/jwks")).get("keep-alive")).toBe("timeout=1");
    expect((await ask(accepted)).get("keep-alive")).toBe("timeout=60");
    expect((await ask(accepted, "/jwks")).get("keep-alive")).toBe("timeout=60");
    const unknown = await connect(port);
    expect((await ask(unknown, "/jwks")).get("keep-alive")).toBe("timeout=1");
    // The other one has been idle for longer.
    await ended(unknown);
    expect(isOpen(accepted)).toBe(true);
  });

  it.each([400, 401, 403, 404, 429, 500])("is not accepted by an answer of %s", async (status) => {
    const port = await open({ callers: strangers }, async (_request, response) => {
      const headers = { "content-type": "application/json" };
      response.writeHead(status, headers).end("{}");
    });
    expect((await ask(await connect(port))).get("keep-alive")).toBe("timeout=5");
  });
});

const limits = { ...bankLimits(), unreadMs: HOUR_MS };

/** A TLS server with these limits; a request's path says how it is answered. */
async function openTls(changed: Partial<ConnectionLimits>) {
  const { server: tls, client: qwac } = await makeTestCertificates();
  const { watch, keepAliveMs } = connectionsOf(strangers, { ...limits, ...changed });
  const server = https.createServer({ ...tls, requestCert: true, rejectUnauthorized: false });
  server.keepAliveTimeout = keepAliveMs;
  watch(server);
  const written: ServerResponse[] = [];
  server.on("request", ({ url }, response) => {
    written.push(response);
    keepConnection(response, url === "/accepted");
    if (url !== "/unanswered") response.end(url === "/huge" ? HUGE : "{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as net.AddressInfo;
  const call = async (): Promise<Client> => {
    const socket = connectTls({ port, host: "127.0.0.1", ...qwac, rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    const client = reading(socket);
    // One that is refused closes before.
    await new Promise((resolve) => socket.once("secureConnect", resolve).once("close", resolve));
    return client;
  };
  return { call, written };
}

describe("X2: an answer that its client does not read", () => {
  async function unread(unreadMs: number) {
    const { call, written } = await openTls({ perHostMax: 2, unreadMs });
    // The one whose request is not answered has been there for longer.
    const [waiter, lazy] = [await call(), await call()];
    send(waiter, "/unanswered");
    lazy.pause();
    send(lazy, "/huge");
    const answerTo = (url: string) => written.find(({ req }) => req.url === url);
    const isEnded = (url: string, ended: boolean) => () =>
      expect(answerTo(url)?.writableEnded).toBe(ended);
    await vi.waitFor(isEnded("/huge", true), waiting);
    await vi.waitFor(isEnded("/unanswered", false), waiting);
    expect(answerTo("/huge")?.writableFinished).toBe(false);
    return { call, lazy, waiter };
  }

  it("makes room when its time is over, and what is not answered yet never does", async () => {
    const { call, lazy, waiter } = await unread(1);
    const newcomer = await call();
    await ask(newcomer, "/accepted");
    lazy.resume();
    await ended(lazy);
    expect([waiter, newcomer].filter(isOpen)).toHaveLength(2);
    expect(lazy.text().length).toBeLessThan(HUGE.length);
  });

  it("and none before, since it may be read yet", async () => {
    const { call, lazy, waiter } = await unread(HOUR_MS);
    await ended(await call());
    lazy.resume();
    await vi.waitFor(() => expect(lazy.received()).toBeGreaterThan(HUGE.length), waiting);
    expect(isOpen(waiter)).toBe(true);
  });
});

it("X2: the short time for which a connection is kept ends with its first accepted request", async () => {
  const { call } = await openTls({ keepAliveSeconds: 3_600, keepAliveUnknownSeconds: 1 });
  const [accepted, unknown] = [await call(), await call()];
  expect((await ask(accepted, "/other")).get("keep-alive")).toBe("timeout=1");
  expect((await ask(accepted, "/accepted")).get("keep-alive")).toBe("timeout=3600");
  expect((await ask(accepted, "/other")).get("keep-alive")).toBe("timeout=3600");
  expect((await ask(unknown, "/other")).get("keep-alive")).toBe("timeout=1");
  // This one has been idle for longer, and is kept.
  await ended(unknown);
  expect(isOpen(accepted)).toBe(true);
  expect((await ask(accepted, "/other")).get("keep-alive")).toBe("timeout=3600");
});
