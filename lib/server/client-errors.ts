import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { faultAnswer, rawAnswer } from "./fault-answer";

/** What to say on a connection whose bytes never became a request. */
export type Broken = (status: 400 | 408 | 431) => string;

type ParseError = Error & { readonly code?: string };

/** Answers what Node's parser refuses: malformed requests, headers too large, requests too slow. */
export function answerClientErrors(server: Server, broken: Broken): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request, response) => {
    answering.set(request.socket, response);
    response.once("close", () => answering.delete(request.socket));
  });
  // Before its handshake is over a connection carries no answer: it would wait for that, and stay, for good.
  server.on("tlsClientError", (_error: Error, socket: Duplex) => socket.destroy());
  server.on("clientError", (error: ParseError, socket) => endWith(error, socket));

  function endWith(error: ParseError, socket: Duplex): void {
    const running = answering.get(socket);
    // In the middle of another answer a second one would be read as part of it.
    if (!socket.writable || error.code === "ECONNRESET" || running?.headersSent === true) {
      socket.destroy();
      return;
    }
    socket.end(broken(statusOf(error)), () => socket.destroy());
  }
}

export function brokenTppRequest(status: 400 | 408 | 431): string {
  const text = {
    400: "The request is not HTTP/1.1",
    408: "The request took too long",
    431: "The headers are too large",
  }[status];
  return rawAnswer(faultAnswer(status, "FORMAT_ERROR", text));
}

function statusOf({ code }: ParseError): 400 | 408 | 431 {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}
