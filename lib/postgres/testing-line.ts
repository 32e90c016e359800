import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The line to a database, which a test can cut or silence. */
export type Line = {
  /** The same database through the line. */
  readonly url: string;
  /** Cuts all connections and refuses new ones, as a stopped PostgreSQL does. */
  readonly cut: () => Promise<void>;
  /** From now on nothing comes through in either direction, and nothing is closed. */
  readonly silence: () => void;
  /** From now on each connection is taken and closed at once, as by a balancer that has nobody behind it. */
  readonly refuse: () => void;
  readonly mend: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function lineTo(databaseUrl: string): Promise<Line> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let silent = false;
  let refusing = false;
  const keep = (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
  };
  const server = createServer((inner) => {
    keep(inner);
    if (refusing) {
      inner.resume().end();
      return;
    }
    const outer = connect(Number(target.port), target.hostname);
    keep(outer);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on("data", (chunk) => silent || to.write(chunk));
      from.once("close", () => silent || to.destroy());
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const { port } = address;
  const cut = async () => {
    const closed = server.listening ? once(server.close(), "close") : undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    url: url.href,
    cut,
    silence: () => {
      silent = true;
    },
    refuse: () => {
      refusing = true;
    },
    mend: async () => {
      silent = false;
      refusing = false;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
