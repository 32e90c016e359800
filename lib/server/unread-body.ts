import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Who answers before the body is at its end leaves the rest on the connection, where the next request
 * would wait behind it until it is cut off; behind a proxy that shares its connections, another
 * caller's. So the rest is read and forgotten, within the time that any request has.
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
    // Either way in which somebody may have begun to read, and now keeps the rest waiting.
    request.removeAllListeners("data");
    request.removeAllListeners("readable");
    request.resume();
  });
}
