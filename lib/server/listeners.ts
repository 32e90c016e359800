import { constants } from "node:crypto";
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import {
  bankLimits,
  type Callers,
  type ConnectionLimits,
  type Connections,
  connectionsOf,
} from "./connections";
import { answerClientErrors, type Broken } from "./fault-answer";
import type { Handler } from "./tpp-host";

const headerBytesMax = 16 * 1024;
/** How often Node looks for requests that took too long; its own default is half a minute. */
const timeoutCheckMs = 1_000;

export type Tls = {
  readonly cert: string;
  readonly key: string;
  /** PEM certificates of those who issue the clients'; without it the handler judges them. */
  readonly clientCa?: string | undefined;
};

export type Host = {
  /** The setting that a person has to change when the port is in use. */
  readonly setting:
    | "XS2A_PORT"
    | "WEB_PORT"
    | "STAFF_PORT"
    | "BANK_API_PORT"
    | "XS2A_METRICS_PORT"
    | "WEB_METRICS_PORT";
  readonly port: number;
  readonly loopbackOnly: boolean;
  /** False: each answer ends its connection, so that a balancer of connections sees each request. */
  readonly keepAlive?: boolean;
  /** With it the host speaks TLS and asks for, but does not demand, a client certificate. */
  readonly tls?: Tls | undefined;
  /** Undefined where no certificate is asked for, and all callers may be behind one proxy. */
  readonly callers?: Callers;
  /** Those of the bank's profile when not given. */
  readonly limits?: ConnectionLimits;
  readonly handle: Handler;
  readonly broken: Broken;
};

export type Listener = {
  /** New connections get this certificate; those that are open keep theirs. */
  renew(tls: Tls): void;
  /** From now on each answer ends its connection; new ones are still taken. */
  drain(): void;
  /** Stops accepting, lets running requests end within the grace period, then cuts them off. */
  close(graceMs: number): Promise<void>;
  cut(): void;
};

/** Listens on all addresses of the host. Throws a SettingError when its port cannot be had. */
export async function listen(host: Host): Promise<Listener> {
  const addresses = host.loopbackOnly ? ["127.0.0.1", "::1"] : [undefined];
  const open: http.Server[] = [];
  const limits = host.limits ?? bankLimits();
  const connections = connectionsOf(host.callers, limits);
  let closing = host.keepAlive === false;
  const onRequest: RequestListener = (request, response) => {
    if (closing) response.shouldKeepAlive = false;
    forgetUnreadBody(request, response);
    void host.handle(request, response);
  };
  const cut = () => {
    for (const server of open) server.closeAllConnections();
    // Of those that have not come to the end of their handshake no server knows anything.
    for (const socket of connections.sockets()) socket.destroy();
  };
  try {
    for (const address of addresses) {
      const server = createServer(host, limits, connections, onRequest);
      if (await bound(server, host, address)) open.push(server);
    }
  } catch (error) {
    for (const server of open) server.close();
    throw error;
  }
  const close = async (graceMs: number) => {
    closing = true;
    const closed = Promise.all(open.map((server) => closeServer(server)));
    // A connection that was busy at close() stays open when its client keeps it alive.
    const idle = setInterval(() => open.map((server) => server.closeIdleConnections()), 100);
    const grace = new AbortController();
    await Promise.race([closed, sleep(graceMs, undefined, { signal: grace.signal })]);
    grace.abort();
    cut();
    await closed;
    clearInterval(idle);
  };
  const renew = (tls: Tls) => {
    for (const server of open) {
      if (server instanceof https.Server) server.setSecureContext(tlsOptions(tls));
    }
  };
  const drain = () => {
    closing = true;
  };
  return { renew, drain, close, cut };
}

/** How long a port may still be in use by a process that is ending, such as a host whose launcher was killed. */
const endingMs = 1_000;

/** Whether the host's port is free, before work is spent that would be in vain. Throws as `listen` does. */
export async function checkPort(host: Pick<Host, "setting" | "port" | "loopbackOnly">) {
  const handle = async () => undefined;
  const end = performance.now() + endingMs;
  for (;;) {
    try {
      const listener = await listen({ ...host, handle, broken: () => "" });
      return await listener.close(0);
    } catch (error) {
      if (performance.now() >= end) throw error;
      await sleep(100);
    }
  }
}

function createServer(
  { tls, broken }: Host,
  limits: ConnectionLimits,
  { watch, keepAliveMs }: Connections,
  onRequest: RequestListener,
): http.Server {
  const options: http.ServerOptions = {
    maxHeaderSize: headerBytesMax,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: timeoutCheckMs,
  };
  const server =
    tls === undefined
      ? http.createServer(options)
      : https.createServer({
          ...options,
          ...tlsOptions(tls),
          handshakeTimeout: limits.handshakeMs,
        });
  watch(server);
  server.on("request", onRequest);
  // Without a listener Node answers an unknown expectation itself, with an empty 417.
  server.on("checkExpectation", onRequest);
  answerClientErrors(server, broken);
  return server;
}

function tlsOptions({ cert, key, clientCa }: Tls): https.ServerOptions {
  return {
    cert,
    key,
    ...(clientCa !== undefined && { ca: clientCa }),
    requestCert: true,
    // A missing or wrong certificate gets an answer in the standard's form, not a broken handshake.
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
    ciphers: [
      "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256",
      "TLS_AES_128_GCM_SHA256",
      "ECDHE+AESGCM",
      "ECDHE+CHACHA20",
    ].join(":"),
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** False when the machine has no such address, as one without IPv6 has no ::1. */
function bound(server: http.Server, host: Host, address: string | undefined): Promise<boolean> {
  return new Promise((resolve, rejectPromise) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const absent = error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT";
      if (absent && address === "::1") return resolve(false);
      const reason = error.code === "EADDRINUSE" ? "is in use" : `cannot be had (${error.code})`;
      rejectPromise(new SettingError(`${host.setting}: port ${host.port} ${reason}`));
    });
    server.listen({ port: host.port, host: address }, () => resolve(true));
  });
}

function closeServer(server: http.Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Of a body that is not read; beyond it, to close the connection costs less. */
const FORGOTTEN_BYTES_MAX = 4 * 1024 * 1024;
const LOOKED_AFTER_MS = 10;
/** How long the sender of a longer body has to read the answer. */
const LINGERING_MS = 1_000;

/**
 * When an answer comes before the end of the body, the rest stays on the connection, and the next request waits behind
 * it; behind a proxy that shares its connections, another caller's. So the rest is read and dropped, within the time
 * of any request and within a limit: to read 60 MB for nothing delays all others.
 */
function forgetUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  // Of a request that has been destroyed Node forgets which connection it came on.
  const { socket } = request;
  response.once("finish", () => {
    if (request.complete) return;
    if (request.destroyed) {
      // The rest cannot be read any more.
      socket.destroySoon();
      return;
    }
    if (Number(request.headers["content-length"]) > FORGOTTEN_BYTES_MAX) {
      // Not closed at once: with unread bytes the system would reset the connection and discard the answer. Paused
      // after Node has resumed it for the next request.
      setImmediate(() => socket.pause());
      setTimeout(() => socket.destroy(), LINGERING_MS);
      return;
    }
    // Of a reader that has stopped in the middle.
    request.removeAllListeners("data");
    request.removeAllListeners("readable");
    request.resume();
    const { bytesRead } = socket;
    // Node drops an unread body without events: only the connection counts it.
    const looking = setInterval(() => {
      if (socket.bytesRead - bytesRead > FORGOTTEN_BYTES_MAX && !request.complete) socket.destroy();
      if (request.complete || socket.destroyed) clearInterval(looking);
    }, LOOKED_AFTER_MS);
  });
}
