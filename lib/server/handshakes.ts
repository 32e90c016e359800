import type { Server } from "node:https";
import type { Socket } from "node:net";
import { END_EVERY_MS, inTurn } from "./in-turn";
import { isAnswering } from "./under-way";

/** A handshake takes one or two milliseconds, which leaves most of these to requests on open connections. */
const BEGIN_EVERY_MS = 5;

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
  const begin = inTurn(BEGIN_EVERY_MS, isAnswering);
  const giveUp = inTurn(END_EVERY_MS, isAnswering);

  server.on("connection", (socket: Socket) => {
    // There may be too many already.
    if (socket.destroyed) return;
    const end = () => giveUp(() => socket.destroy());
    socket.on("error", end).on("timeout", end).setTimeout(patienceMs);
    socket.once("readable", () => {
      // A client that has only gone has said nothing.
      if (socket.readableLength === 0) return;
      socket.off("timeout", end).setTimeout(0);
      let takeBack: (() => void) | undefined;
      const forget = () => takeBack?.();
      socket.once("close", forget);
      takeBack = begin(() => {
        if (socket.destroyed) return;
        socket.off("error", end).off("close", forget);
        for (const listener of beginning) listener.call(server, socket);
      });
    });
  });
}
