import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { acceptedClass, type TppClass } from "@/lib/accepted-tpp";
import { encodeUtf8, type HttpAnswer, type HttpHeaders, type HttpRequest } from "@/lib/xs2a/http";
import { faultOfStatus } from "./fault-answer";
import { decode } from "./http";
import { keepRefusalCode } from "./refusal-code";
import { type Handler, send } from "./tpp-host";

/** What a route file exports under the name of a method, as Next calls it. */
export type RouteHandler = ((
  request: Request,
  context: { readonly params: Promise<Segments> },
) => Response | Promise<Response>) & {
  /** The same without `Request` and `Response`, where the route has it. */
  readonly answer?: Answer;
};
type Answer = (request: HttpRequest, segments: Segments) => Promise<HttpAnswer>;

/** Route files by their folders below `app/`, which is where endpoints are declared. */
export type RouteFiles = Routes<RouteHandler>;
type Routes<Handler> = Readonly<Record<string, Readonly<Partial<Record<string, Handler>>>>>;
/** The same for paths without a file of their own. */
export type Answers = Routes<{ readonly answer: Answer }>;

/**
 * Calls the route files as Next does; a route without HEAD answers it by its GET. `origin` is the configured one, and
 * `faultOf` says what is answered where there is no route or method.
 */
export function dispatcher(
  files: RouteFiles | Answers,
  origin: string,
  faultOf: typeof faultOfStatus = faultOfStatus,
): Handler {
  const find = routeFinder(Object.keys(files));
  return async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const route = find(url.split("?", 1)[0] ?? url);
    const methods = route && files[route.target];
    const handler = methods?.[method] ?? (method === "HEAD" ? methods?.["GET"] : undefined);
    if (route === undefined) return send(response, faultOf(404, request.headers));
    if (handler === undefined) {
      const { headers, ...fault } = faultOf(405, request.headers);
      // A route file may export settings of Next as well.
      const allow = Object.keys(methods ?? {}).filter((name) => /^[A-Z]+$/.test(name));
      return send(response, { ...fault, headers: { ...headers, allow: allow.join(", ") } });
    }
    const { segments } = route;
    endpoints.set(response, route.target);
    const { answer } = handler;
    if (answer !== undefined) {
      const asked = lightRequest(request, origin);
      handled.set(response, asked);
      return write(response, await answer(asked, segments));
    }
    if (typeof handler === "function") {
      const asked = webRequest(request, origin);
      handled.set(response, asked);
      write(response, await readOut(await handler(asked, contextOf(segments))));
    }
  };
}

const endpoints = new WeakMap<ServerResponse, string>();
/** What the handler was given. */
const handled = new WeakMap<ServerResponse, object>();

/** The folder of the route file that answers, in which ids are names in brackets. */
export function endpointOf(response: ServerResponse): string | undefined {
  return endpoints.get(response);
}

export function tppClassOf(response: ServerResponse): TppClass {
  return acceptedClass(handled.get(response));
}

function contextOf(segments: Segments) {
  return { params: Promise.resolve(segments) };
}

type Written = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};

function write(response: ServerResponse, { status, headers, body }: Written): void {
  const mayHaveBody = status !== 204 && response.req.method !== "HEAD";
  const bytes = typeof body === "string" ? encodeUtf8(body) : body;
  const length = { "content-length": bytes === undefined ? 0 : bytes.byteLength };
  keepRefusalCode(response, status, body);
  response.writeHead(status, { ...headers, ...(mayHaveBody && length) });
  response.end(bytes);
}

function webRequest(request: IncomingMessage, origin: string): Request {
  const { method, url, headers, body } = lightRequest(request, origin);
  const sent: RequestInit & { duplex?: "half" } = { method, headers: [...headers] };
  if (body !== null) {
    sent.body = Readable.toWeb(request) as ReadableStream;
    sent.duplex = "half";
  }
  return new Request(url, sent);
}

async function readOut(response: Response): Promise<Written> {
  const headers: Record<string, string | readonly string[]> = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}

/** The values of the folders in brackets: texts, or a list for `[...name]`. */
type Segments = Readonly<Record<string, string | readonly string[]>>;
type Route = { readonly target: string; readonly segments: Segments };

/**
 * Finds the folder of a path, by the names of folders as Next reads them: what is fixed comes first, and
 * is compared as it was sent; only values are decoded.
 */
export function routeFinder(folders: readonly string[]): (path: string) => Route | undefined {
  const all = folders
    .map((target) => ({ target, pattern: patternOf(target) }))
    .toSorted((one, other) => (rankOf(one.target) < rankOf(other.target) ? -1 : 1));
  return (path) => {
    // A slash at the end makes no other path.
    const plain = path.replace(/\/$/, "");
    for (const { target, pattern } of all) {
      const found = pattern.exec(plain);
      if (found !== null) return { target, segments: segmentsOf(found.groups ?? {}, target) };
    }
    return undefined;
  };
}

const BRACKETS = /^\[(?<optional>\[?)(?<rest>\.{3})?(?<name>[^\][.]+)\]?\]$/;

/** `[name]` is one part of a path, `[...name]` all the rest, `[[...name]]` also when there is none. */
function patternOf(folder: string): RegExp {
  const parts = folder.split("/").slice(1);
  const patterns = parts.map((part) => {
    const { optional, rest, name } = BRACKETS.exec(part)?.groups ?? {};
    if (name === undefined) return `/${part.replace(/[^\w-]/g, "\\$&")}`;
    if (rest === undefined) return `/(?<${name}>[^/]*)`;
    return optional ? `(/(?<${name}>.*))?` : `/(?<${name}>.*)`;
  });
  return new RegExp(`^${patterns.join("")}$`, "s");
}

/** In the order of ranks a fixed part comes before one in brackets, and that before all the rest. */
function rankOf(folder: string): string {
  const kinds = folder.split("/").map((part) => {
    if (!part.startsWith("[")) return `0${part}`;
    return part.includes("...") ? "2" : "1";
  });
  return kinds.join("/");
}

function segmentsOf(
  groups: Readonly<Record<string, string | undefined>>,
  folder: string,
): Segments {
  const segments: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(groups)) {
    if (value === undefined) continue;
    const isRest = folder.includes(`...${name}]`);
    segments[name] = isRest ? value.split("/").map(decoded) : decoded(value);
  }
  return segments;
}

/** A broken escape stays as it was sent: it is an unknown id, and not a fault of the server. */
const decoded = (part: string) => decode(part) ?? part;

/**
 * Node's request as the pipeline reads it; to make a Web `Request` takes longer than most of the checks. `origin`
 * is the configured one, never the caller's `Host`.
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

/** As a rule the whole body has arrived when it is read: then no listeners are set up to wait for more. */
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
