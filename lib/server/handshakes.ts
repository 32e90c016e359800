import type { Server } from "node:https";
import type { Socket } from "node:net";
import { inTurn } from "./in-turn";

/** A handshake takes one or two milliseconds, which leaves most of these to requests on open connections. */
const EVERY_MS = 5;
/** Where they come faster than that for longer than this, they are not of one instant but what is asked for. */
const WAITING_MS = 500;
/** Then so many at once, which take about all of that time. */
const AT_ONCE = 4;

/** A client that has said something. */
type Speaking = {
  readonly socket: Socket;
  /** Takes off what has held the socket until now. */
  readonly letGo: () => void;
  /** In milliseconds of the process. */
  readonly since: number;
};

/**
 * Handshakes begin one after the other, and each only when its client has said something. Hundreds of connections
 * that are opened at the same instant else have theirs at the same instant, and everybody waits that long; and one on
 * which nothing is ever said is never worth one.
 *
 * `patienceMs` is how long a connection may be silent before its handshake.
 */
export function beginHandshakesInTurn(server: Server, patienceMs: number): void {
  const beginning = server.listeners("connection");
  if (beginning.length === 0) throw new Error("nothing begins a handshake");
  server.removeAllListeners("connection");
  const waiting = new Set<Speaking>();
  const giveUp = inTurn();
  let pausing = false;

  const next = () => {
    const some = firstOf(waiting);
    pausing = some.length > 0;
    if (pausing) setTimeout(next, EVERY_MS);
    for (const { socket, letGo } of some) {
      letGo();
      for (const begin of beginning) begin.call(server, socket);
    }
  };

  server.on("connection", (socket: Socket) => {
    // There may be too many already.
    if (socket.destroyed) return;
    const end = () => giveUp(() => socket.destroy());
    socket.on("error", end).on("timeout", end).setTimeout(patienceMs);
    socket.once("readable", () => {
      // A client that has only gone has said nothing.
      if (socket.readableLength === 0) return;
      socket.off("timeout", end).setTimeout(0);
      const forget = () => waiting.delete(speaking);
      const letGo = () => {
        forget();
        socket.off("error", end).off("close", forget);
      };
      const speaking = { socket, letGo, since: performance.now() };
      waiting.add(speaking);
      socket.once("close", forget);
      if (!pausing) next();
    });
  });
}

/** The first, and those after it that have waited for long. */
function firstOf(waiting: ReadonlySet<Speaking>): readonly Speaking[] {
  const some: Speaking[] = [];
  for (const one of waiting) {
    if (one.socket.destroyed) continue;
    const late = performance.now() - one.since > WAITING_MS;
    if (some.length === AT_ONCE || (some.length > 0 && !late)) break;
    some.push(one);
  }
  return some;
}
