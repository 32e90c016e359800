import { connect as connectSocket, type Socket } from "node:net";
import postgres from "postgres";
import { clientOptions, type Database } from "../client";
import type { TestDatabase } from "../testing";
import { unguarded } from "../testing-unguarded";

export type Cut = {
  /** How many packets leave the server before it is killed; a statement is one or two. */
  readonly afterPackets: number;
  /** Whether the last of them still arrives: then its work is done, and nobody hears of it. */
  readonly lastArrives: boolean;
};

type Cuttable = Pick<TestDatabase, "sql" | "url">;

/**
 * Does the work as a server that is killed in the middle: its connection is gone, and not a line of it
 * runs any more. PostgreSQL sees the end of the stream and rolls back what has not been committed. Comes
 * back when that has happened; undefined when the work was cut short.
 */
export async function cutShort<T>(
  { sql, url }: Cuttable,
  cut: Cut,
  work: (db: Database) => Promise<T>,
): Promise<T | undefined> {
  const name = `cut ${crypto.randomUUID()}`;
  const socket = await connected(url);
  const options = {
    ...clientOptions,
    max: 1,
    connection: { application_name: name },
    socket: () => socket,
  };
  const doomed = postgres(url, options);
  await doomed`select`;
  const killed = kill(socket, cut);
  const done = await Promise.race([killed, work(unguarded(doomed))]);
  if (done === undefined) socket.destroy();
  else await doomed.end();
  await gone(sql, name);
  return done;
}

function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), hostname);
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket.off("error", reject)));
  });
}

/** From then on the driver hears nothing, so that whatever waits for an answer waits for ever. */
function kill(socket: Socket, { afterPackets, lastArrives }: Cut): Promise<undefined> {
  const write = socket.write.bind(socket);
  let packets = 0;
  return new Promise((resolve) => {
    const dies = () => resolve(undefined);
    socket.write = (packet: Uint8Array | string) => {
      packets += 1;
      if (packets < afterPackets) return write(packet);
      socket.removeAllListeners().on("error", dies);
      if (packets > afterPackets || !lastArrives) dies();
      else write(packet, dies);
      return true;
    };
  });
}

/** A statement that was under way ends first; then its session does. */
async function gone(sql: TestDatabase["sql"], name: string): Promise<void> {
  const [{ left } = { left: 1 }] = await sql<{ left: number }[]>`
    select count(*)::int as left from pg_stat_activity where application_name = ${name}`;
  if (left > 0) await gone(sql, name);
}
