import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { utf8 } from "@/lib/utf8";
import type { HttpAnswer, HttpRequest } from "@/lib/xs2a/http";
import { faultOfStatus } from "./fault-answer";
import { lightRequest } from "./light-request";
import { routeTree, type Segments } from "./route-tree";
import { type Handler, send } from "./tpp-host";

/** What a route file exports under the name of a method, as Next calls it. */
export type RouteHandler = ((
  request: Request,
  context: { readonly params: Promise<Segments> },
) => Response | Promise<Response>) & {
  /** The same without the words of the Web, where the route has it. */
  readonly answer?: (request: HttpRequest, segments: Segments) => Promise<HttpAnswer>;
};

/** Route files by their folders below `app/`, which is where endpoints are declared. */
export type RouteFiles = Readonly<Record<string, Readonly<Partial<Record<string, RouteHandler>>>>>;

/**
 * Leads requests to the route files as Next does. `origin` is of the host, as configured. A route without HEAD answers
 * it by its GET.
 */
export function dispatcher(files: RouteFiles, origin: string): Handler {
  const find = routeTree(files);
  return async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const route = find(url.split("?", 1)[0] ?? url);
    const handler = route?.target[method] ?? (method === "HEAD" ? route?.target["GET"] : undefined);
    if (route === undefined || handler === undefined) {
      return send(response, faultOfStatus(route === undefined ? 404 : 405, request.headers));
    }
    const { segments } = route;
    if (handler.answer !== undefined) {
      return write(response, await handler.answer(lightRequest(request, origin), segments));
    }
    write(response, await readOut(await handler(webRequest(request, origin), contextOf(segments))));
  };
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
  const bytes = typeof body === "string" ? utf8(body) : body;
  const length = { "content-length": bytes === undefined ? 0 : bytes.byteLength };
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
