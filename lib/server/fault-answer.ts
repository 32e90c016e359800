import { randomUUID } from "node:crypto";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Duplex } from "node:stream";
import type { MessageCode } from "@/lib/domain/errors";
import { isUuid } from "@/lib/domain/values";
import { tppMessages } from "@/lib/xs2a/refusals";
import { securityHeaders } from "./security-headers";

/** The answer to a request that does not reach the pipeline, in the standard's form. */
export type FaultAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** `asked` are the headers of the request, if there was one. */
export function faultAnswer(
  status: number,
  code: MessageCode,
  text: string,
  asked: IncomingHttpHeaders = {},
): FaultAnswer {
  const body = JSON.stringify(tppMessages([{ code, text }]));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": echoed(asked["x-request-id"]),
    "x-fapi-interaction-id": echoed(asked["x-fapi-interaction-id"]),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return { status, headers, body };
}

/** RFC 6749 5.2 has no code for the last two; these are those of an authorisation request (4.1.2.1). */
const oauthErrors = {
  400: "invalid_request",
  429: "temporarily_unavailable",
  500: "server_error",
} as const;

/** The answer to this request: at the token endpoints, which OAuth libraries call, in the form of RFC 6749. */
export function faultFor(
  { url = "/", headers }: Pick<IncomingMessage, "url" | "headers">,
  status: keyof typeof oauthErrors,
  code: MessageCode,
  text: string,
): FaultAnswer {
  const fault = faultAnswer(status, code, text, headers);
  if (!url.startsWith("/token")) return fault;
  const body = JSON.stringify({ error: oauthErrors[status], error_description: text });
  const length = { "content-length": String(Buffer.byteLength(body)) };
  return { ...fault, headers: { ...fault.headers, ...length }, body };
}

export const internalError = ["INTERNAL_SERVER_ERROR", "An internal error occurred"] as const;
/** By which a status of Next's or Node's is answered. */
const faults = {
  400: ["FORMAT_ERROR", "The request cannot be read"],
  404: ["RESOURCE_UNKNOWN", "There is nothing at this address"],
  405: ["SERVICE_INVALID", "The method is not offered here"],
  413: ["PAYLOAD_TOO_LARGE", "The body is too large"],
  500: internalError,
} as const satisfies Record<number, readonly [MessageCode, string]>;

/** The fault for a status that Next or Node has chosen. A redirect leads nowhere. */
export function faultOfStatus(status: number, asked: IncomingHttpHeaders = {}): FaultAnswer {
  const likely = status >= 300 && status < 400 ? 404 : status >= 400 && status < 500 ? 400 : 500;
  const known = status === 404 || status === 405 || status === 413 ? status : likely;
  const [code, text] = faults[known];
  return faultAnswer(known, code, text, asked);
}

/** The same as bytes, for a connection whose request never became one. */
export function rawAnswer({ status, headers, body }: FaultAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  return `${first}${lines.join("")}connection: close\r\n\r\n${body}`;
}

/** Only a UUID is echoed; two joined into one value are none. */
function echoed(value: string | readonly string[] | undefined): string {
  return typeof value === "string" && isUuid(value) ? value : randomUUID();
}

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
  // Before its handshake is over a connection carries no answer: it would wait for one for ever.
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

export function brokenBrowserRequest(https: boolean): Broken {
  const headers = securityHeaders("default-src 'none'; frame-ancestors 'none'", https);
  return (status) => rawAnswer({ status, headers, body: "" });
}

function statusOf({ code }: ParseError): 400 | 408 | 431 {
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}
