import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Seen, statements } from "./statements";

/** Stands before a PostgreSQL and sees what is sent to it. */
export type Tap = {
  /** Of the database, through the tap. */
  readonly url: string;
  /** The statements that went by while the work was done and until all was quiet again. */
  readonly during: <Result>(
    work: () => Promise<Result>,
  ) => Promise<{ readonly result: Result; readonly seen: readonly Seen[] }>;
  readonly close: () => Promise<void>;
};

/** What a server does after its answer belongs to the request as well. */
const QUIET_MS = 15;
/**
 * Answers are held back: what was sent without waiting for an answer has gone by before the first one does,
 * also on a machine that is busy.
 */
const HELD_MS = 10;

export async function openTap(databaseUrl: string): Promise<Tap> {
  const behind = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const busy = new Set<() => boolean>();
  let seen: Seen[] = [];
  let instant = 0;
  let connections = 0;

  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: behind.hostname, port: Number(behind.port), noDelay: true });
    connections += 1;
    const now = () => {
      instant += 1;
      return instant;
    };
    const listening = statements(connections, now, (statement) => seen.push(statement));
    busy.add(listening.isBusy);
    pass(client, database, listening.client);
    pass(database, client, listening.server, (step) => setTimeout(step, HELD_MS));
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        busy.delete(listening.isBusy);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);

  async function quiet(): Promise<void> {
    do await sleep(QUIET_MS);
    while ([...busy].some((isBusy) => isBusy()));
  }

  return {
    url: url.href,
    during: async (work) => {
      await quiet();
      seen = [];
      const result = await work();
      await quiet();
      return { result, seen: seen.toSorted((a, b) => a.startedAt - b.startedAt) };
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function pass(
  from: Socket,
  to: Socket,
  listen: (chunk: Buffer) => void,
  then: (step: () => void) => void = (step) => step(),
): void {
  from.on("data", (chunk) => {
    then(() => {
      listen(chunk);
      to.write(chunk);
    });
  });
  from.on("end", () => then(() => to.end()));
  from.on("error", () => to.destroy());
}
