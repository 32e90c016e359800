import { once } from "node:events";
import { type ClientRequest, request as plainRequest } from "node:http";
import { Agent, type RequestOptions, request as tlsRequest } from "node:https";
import { buffer } from "node:stream/consumers";

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  /** A list of pairs where a name has to be sent twice. */
  readonly headers: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
};

export type HttpReply = {
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type Exchange = { readonly request: HttpRequest; readonly reply: HttpReply };

/** The host could not be reached, is not the one it should be, or did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly origin: string;
  constructor(url: string, cause: unknown) {
    const { origin } = new URL(url);
    super(`no answer from ${origin}`, { cause });
    this.origin = origin;
  }
}

export type Http = {
  /** Throws NoAnswer when no answer came, and another error for what cannot be sent; every status is an answer. */
  readonly send: (request: HttpRequest) => Promise<HttpReply>;
  readonly close: () => Promise<void>;
};

export type HttpOptions = {
  /** The QWAC and its key in PEM; left out, the TLS connection has no client certificate. */
  readonly certificate?: { readonly pem: string; readonly key: string };
  /** The issuers of the server's certificate in PEM; those that Node knows when left out. */
  readonly ca?: string | readonly string[];
  /** Sees every exchange after it took place, and how long the answer took. */
  readonly onExchange?: (exchange: Exchange, milliseconds: number) => void;
  /** Milliseconds to wait for an answer. */
  readonly timeout?: number;
};

/** HTTP over mutual TLS, with connections kept alive. Redirects are answers, and are not followed. */
export function http({ certificate, ca, onExchange, timeout = 30_000 }: HttpOptions): Http {
  const agent = new Agent({
    ...(certificate !== undefined && { cert: certificate.pem, key: certificate.key }),
    ...(ca !== undefined && { ca: [ca].flat() }),
    keepAlive: true,
    // Idle for longer, a connection could be closed by the bank in the moment in which a POST goes
    // out on it, and a POST is not sent twice.
    timeout: 1_000,
  });
  return {
    send: async (sent) => {
      const started = performance.now();
      const signal = AbortSignal.timeout(timeout);
      const outgoing = outgoingRequest(sent, { agent, signal });
      const reply = await replyTo(outgoing, sent).catch((cause: unknown) => {
        throw new NoAnswer(sent.url, cause);
      });
      onExchange?.({ request: sent, reply }, performance.now() - started);
      return reply;
    },
    close: async () => agent.destroy(),
  };
}

type Over = Required<Pick<RequestOptions, "agent" | "signal">>;

function outgoingRequest(sent: HttpRequest, { agent, signal }: Over): ClientRequest {
  const url = new URL(sent.url);
  const { method } = sent;
  const headers = [...headerPairs(sent.headers), ...framing(sent, url.host)].flat();
  const isTls = url.protocol === "https:";
  return isTls
    ? tlsRequest(url, { method, headers, agent, signal })
    : plainRequest(url, { method, headers, signal });
}

async function replyTo(outgoing: ClientRequest, { body = new Uint8Array() }: HttpRequest) {
  // A bank that answers before it has read all may close the connection under what is still being sent.
  outgoing.on("error", () => undefined);
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  const bytes = await buffer(incoming);
  return { status: incoming.statusCode, headers: joined(incoming.headers), body: bytes };
}

/** What HTTP needs and the caller has not said. */
function framing({ method, headers, body }: HttpRequest, host: string) {
  const names = new Set(headerPairs(headers).map(([name]) => name.toLowerCase()));
  const hasBody = body !== undefined || ["POST", "PUT", "PATCH"].includes(method);
  const length = ["content-length", String(body?.byteLength ?? 0)] as const;
  return [["host", host] as const, ...(hasBody ? [length] : [])].filter(
    ([name]) => !names.has(name),
  );
}

/** The `fetch` that OAuth libraries ask for, over the same connections. */
export function fetchOver(over: Http) {
  return async (
    url: string,
    options: {
      readonly method: string;
      readonly headers: Record<string, string>;
      readonly body?: unknown;
    },
  ): Promise<Response> => {
    const body = typeof options.body === "string" ? options.body : options.body?.toString();
    const reply = await over.send({
      method: options.method,
      url,
      headers: options.headers,
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    const content = reply.body.byteLength === 0 ? null : Buffer.from(reply.body);
    return new Response(content, { status: reply.status, headers: { ...reply.headers } });
  };
}

export function text(body: Uint8Array): string {
  return Buffer.from(body).toString("utf8");
}

export function headerPairs(
  headers: HttpRequest["headers"],
): readonly (readonly [string, string])[] {
  return isList(headers) ? headers : Object.entries(headers);
}

function isList(
  headers: HttpRequest["headers"],
): headers is readonly (readonly [string, string])[] {
  return Array.isArray(headers);
}

function joined(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    ),
  );
}
