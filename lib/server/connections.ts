import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { networkOf } from "@/lib/ip-address";
import { bankProfile } from "@/lib/profile/in-force";

export type ConnectionLimits = Readonly<Record<keyof ReturnType<typeof bankLimits>, number>>;

/** Those of the bank's profile, and what every server has. */
export const bankLimits = () => ({
  ...bankProfile().connections,
  /** For the client to come to the handshake's end. */
  handshakeMs: 5_000,
  headersMs: 5_000,
  requestMs: 20_000,
  /** How long an answer may wait for its client to read it. */
  unreadMs: 20_000,
});
/** A second longer than announced, for a request that is already sent. */
const keptMs = ({ keepAliveSeconds }: ConnectionLimits) => (keepAliveSeconds + 1) * 1_000;
const unknownMs = ({ keepAliveUnknownSeconds }: ConnectionLimits) =>
  keepAliveUnknownSeconds * 1_000;

/** Of a host whose clients are to show a certificate. */
export type Callers = {
  /** Whether an address is a proxy's, which connects for many. */
  readonly isProxy: (address: string) => boolean;
  /** Whether the proxy ends TLS, so that each request on its connection has a certificate of its own. */
  readonly throughProxy: boolean;
};

type Connection = {
  readonly socket: Socket;
  readonly limits: ConnectionLimits;
  /** Undefined where the network has no limit. */
  readonly network: string | undefined;
  /** Whether a client has shown an accepted certificate on it. */
  accepted: boolean;
  /** The requests that are not answered yet. */
  readonly running: Set<ServerResponse>;
  /** When the last of them began or ended, in milliseconds of the process. */
  since: number;
  /** At that time. */
  bytesRead: number;
};

export type Connections = {
  /** Before the first connection of a server of this host. */
  readonly watch: (server: Server) => void;
  readonly sockets: () => readonly Socket[];
  /** What Node announces, and holds to; `keepConnection` prolongs it. */
  readonly keepAliveMs: number;
};

const connections = new WeakMap<Socket, Connection>();

/**
 * The connections of one host. When it is full, a new one replaces the one that has been idle for longest, those
 * without an accepted certificate first. During a handshake or a request's headers a connection is not idle until
 * its time for that is over. Beyond the limit of one address new ones are refused, which costs less than a
 * handshake, unless one of that address has been idle for a while.
 *
 * Not `maxConnections`: a worker returns a connection that it refuses so, and Node's cluster passes it around in a
 * busy loop until a worker accepts it.
 */
export function connectionsOf(callers: Callers | undefined, limits: ConnectionLimits): Connections {
  // Those whose state changed longest ago come first.
  const open = new Set<Connection>();
  const handshakes = new Map<string, Connection>();

  const take = (socket: Socket) => {
    const address = socket.remoteAddress;
    // Closed already.
    if (address === undefined) return void socket.destroy();
    const isProxy = callers?.isProxy(address) === true;
    // Node adds the zone of a link-local address, as in fe80::1%eth0.
    const [plain = address] = address.split("%");
    const network = callers === undefined || isProxy ? undefined : networkOf(plain);
    if (!hasRoom(open, network, limits)) return void socket.destroy();
    const accepted = callers === undefined || (isProxy && callers.throughProxy);
    const connection = { socket, limits, network, accepted, running: new Set<ServerResponse>() };
    add({ ...connection, since: performance.now(), bytesRead: socket.bytesRead });
  };

  const add = (connection: Connection) => {
    const { socket } = connection;
    const name = nameOf(socket);
    open.add(connection);
    connections.set(socket, connection);
    handshakes.set(name, connection);
    socket.once("close", () => {
      open.delete(connection);
      handshakes.delete(name);
    });
  };

  const rest = (connection: Connection) => {
    if (!open.delete(connection)) return;
    open.add(connection);
    connection.since = performance.now();
    connection.bytesRead = connection.socket.bytesRead;
  };

  const answer = (response: ServerResponse) => {
    const { socket } = response.req;
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const { running } = connection;
    running.add(response);
    connection.since = performance.now();
    response.once("finish", () => {
      // After Node has set its own, shorter one; with another request waiting it sets none.
      const isLast = running.size === 1;
      if (callers !== undefined && connection.accepted && isLast) socket.setTimeout(keptMs(limits));
    });
    response.once("close", () => {
      running.delete(response);
      if (running.size === 0) rest(connection);
    });
  };

  const watch = (server: Server) => {
    server.prependListener("connection", take);
    server.prependListener("secureConnection", (socket: TLSSocket) => {
      const connection = handshakes.get(nameOf(socket));
      if (connection === undefined) return;
      connections.set(socket, connection);
      rest(connection);
    });
    const onRequest = (_request: unknown, response: ServerResponse) => answer(response);
    server.on("request", onRequest).on("checkExpectation", onRequest);
  };

  const sockets = () => [...open].map(({ socket }) => socket);
  return {
    watch,
    sockets,
    keepAliveMs: callers === undefined ? limits.keepAliveSeconds * 1_000 : unknownMs(limits),
  };
}

/**
 * Before the headers of an answer are written. Once an answer has shown that the certificate of the connection was
 * accepted, the connection is kept for the usual time.
 */
export function keepConnection(response: ServerResponse, showsAccepted: boolean): void {
  const connection = connections.get(response.req.socket);
  if (connection === undefined) return;
  if (showsAccepted) connection.accepted = true;
  if (connection.accepted && response.shouldKeepAlive) {
    response.setHeader("keep-alive", `timeout=${connection.limits.keepAliveSeconds}`);
  }
}

function hasRoom(
  open: Set<Connection>,
  network: string | undefined,
  limits: ConnectionLimits,
): boolean {
  const { perHostMax, perAddressMax } = limits;
  const neighbours = [...open].filter((one) => network !== undefined && one.network === network);
  if (neighbours.length >= perAddressMax) return makeRoom(open, neighbours, unknownMs(limits));
  return open.size < perHostMax || makeRoom(open, [...open], 0);
}

function makeRoom(open: Set<Connection>, among: readonly Connection[], idleMs: number): boolean {
  const now = performance.now();
  const idle = among.filter((one) => isIdle(one, now) && now - one.since >= idleMs);
  const ended = idle.find(({ accepted }) => !accepted) ?? idle[0];
  if (ended === undefined) return false;
  open.delete(ended);
  ended.socket.destroy();
  return true;
}

function isIdle(connection: Connection, now: number): boolean {
  const { socket, limits, accepted, running, since, bytesRead } = connection;
  const [first] = running;
  // An answer that its client does not read.
  if (first !== undefined) return first.writableEnded && now - since > limits.unreadMs;
  const aloneMs = accepted ? keptMs(limits) : unknownMs(limits);
  return socket.bytesRead === bytesRead || now - since > aloneMs + limits.headersMs;
}

/** A connection's ends tell which one it is, with and without the TLS around it. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
