import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Where one of several servers listens, and whether requests should come to it now. */
export type Target = { readonly port: number; readonly isReady: () => boolean };

export type Front = {
  /** Connections that each target has been given, in the order of the targets. */
  readonly given: () => readonly number[];
  readonly close: () => Promise<void>;
};

/**
 * A plain round robin of TCP connections on one port of this machine: no look into what they carry, no
 * memory of who came from where. Each connection goes to the next server that is ready; one that
 * refuses it is passed over. With KEEP_ALIVE=false at the servers a connection is one request.
 */
export async function roundRobin(port: number, targets: readonly Target[]): Promise<Front> {
  const given = targets.map(() => 0);
  const open = new Set<Socket>();
  let turn = 0;

  function serve(client: Socket): void {
    keep(client);
    const first = turn;
    turn += 1;
    const inTurn = targets.map((_, at) => (first + at) % targets.length);
    const ready = inTurn.filter((at) => targets[at]?.isReady() === true);
    // When none says that it is ready the answer is a server's to give, not the balancer's.
    void lead(client, ready.length > 0 ? ready : inTurn);
  }

  async function lead(client: Socket, candidates: readonly number[]): Promise<void> {
    for (const at of candidates) {
      const server = await connected(targets[at]?.port ?? 0);
      if (server === undefined) continue;
      given[at] = (given[at] ?? 0) + 1;
      keep(server);
      join(client, server);
      return;
    }
    client.destroy();
  }

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
  }

  // Of a client that is gone before a server is found nothing is to be lost: it is paused until then.
  const listeners = await Promise.all(
    ["127.0.0.1", "::1"].map((address) => listening(port, address, serve)),
  );
  return {
    given: () => [...given],
    close: async () => {
      const closed = listeners.map((one) => one && once(one.close(), "close"));
      for (const socket of open) socket.destroy();
      await Promise.all(closed);
    },
  };
}

/** Undefined where the machine has no such address, as one without IPv6 has no ::1. */
async function listening(
  port: number,
  host: string,
  serve: (client: Socket) => void,
): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, serve);
  server.listen({ port, host });
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if (host === "::1" && (error as NodeJS.ErrnoException).code !== "EADDRINUSE") return undefined;
    throw error;
  }
}

/** Undefined when the server refuses. */
async function connected(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    return undefined;
  }
}

function join(client: Socket, server: Socket): void {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to);
    // Cut on one side is cut on the other: an answer that ends early must not look like a whole one.
    from.once("close", () => to.destroy());
  }
  client.resume();
}
