import type { IncomingMessage, ServerResponse } from "node:http";

/** Of what nobody reads; who sends more costs less without the connection. */
const FORGOTTEN_BYTES_MAX = 4 * 1024 * 1024;
const LOOKED_AFTER_MS = 10;
/** How long whoever has announced more than that gets to read the answer. */
const LINGERING_MS = 1_000;

/**
 * Who answers before the body is at its end leaves the rest on the connection, where the next request
 * would wait behind it until it is cut off; behind a proxy that shares its connections, another
 * caller's. So the rest is read and forgotten, within the time that any request has, and within a bound:
 * to take in 60 MB for nothing keeps all the others waiting.
 */
export function forgetUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  // Of a request that has been destroyed Node forgets which connection it came on.
  const { socket } = request;
  response.once("finish", () => {
    if (request.complete) return;
    if (request.destroyed) {
      // Nobody can read on: then nothing else may come on this connection.
      socket.destroySoon();
      return;
    }
    if (Number(request.headers["content-length"]) > FORGOTTEN_BYTES_MAX) {
      // Not closed at once: bytes that nobody has taken would make the system withdraw the answer. Nor
      // before Node has set the connection going to look for the next request.
      setImmediate(() => socket.pause());
      setTimeout(() => socket.destroy(), LINGERING_MS);
      return;
    }
    // Either way in which somebody may have begun to read, and now keeps the rest waiting.
    request.removeAllListeners("data");
    request.removeAllListeners("readable");
    request.resume();
    const { bytesRead } = socket;
    // Of a request that nobody reads Node drops the body unseen: only the connection counts it.
    const looking = setInterval(() => {
      if (socket.bytesRead - bytesRead > FORGOTTEN_BYTES_MAX && !request.complete) socket.destroy();
      if (request.complete || socket.destroyed) clearInterval(looking);
    }, LOOKED_AFTER_MS);
  });
}
