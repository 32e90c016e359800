import type { IncomingMessage } from "node:http";
import type { HttpHeaders, HttpRequest } from "@/lib/xs2a/http";

/**
 * Node's request as the pipeline reads it. A Web `Request` says the same, and to make one takes longer
 * than most of the checks. `origin` is the configured one: what a caller writes into `Host` decides
 * nothing.
 */
export function lightRequest(request: IncomingMessage, origin: string): HttpRequest {
  const { method = "GET", url = "/" } = request;
  return { method, url: `${origin}${url}`, headers: headersOf(request), body: bodyOf(request) };
}

function headersOf({ headers }: IncomingMessage): HttpHeaders {
  const get = (name: string): string | null => {
    // A caller chooses some of the names, and every object has a "constructor".
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };
  return {
    get,
    has: (name) => get(name) !== null,
    [Symbol.iterator]: () =>
      Object.keys(headers)
        .map((name): [string, string] => [name, get(name) ?? "none"])
        [Symbol.iterator](),
  };
}

/** A request that a Web `Request` cannot give a body has none here either. */
function bodyOf(request: IncomingMessage): HttpRequest["body"] {
  const { method, headers } = request;
  const length = headers["content-length"];
  const isEmpty = headers["transfer-encoding"] === undefined && (length ?? "0") === "0";
  if (isEmpty || method === "GET" || method === "HEAD") return null;
  return { getReader: () => readerOf(request) };
}

/**
 * By the time somebody reads, the whole body has come, as a rule: then it is taken as it lies there, and
 * nothing is set up to wait for more.
 */
function readerOf(request: IncomingMessage) {
  let parts: AsyncIterator<Uint8Array> | undefined;
  return {
    read: async () => {
      if (request.complete && !request.destroyed) {
        const value: Uint8Array | null = request.read();
        return value === null ? atEnd : { done: false as const, value };
      }
      parts ??= request[Symbol.asyncIterator]();
      return parts.next();
    },
  };
}

const atEnd = { done: true } as const;
