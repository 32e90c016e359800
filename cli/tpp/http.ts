import { Agent, request } from "undici";

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
  /** Throws NoAnswer when no answer came; every status is an answer. */
  readonly send: (request: HttpRequest) => Promise<HttpReply>;
  readonly close: () => Promise<void>;
};

type HttpOptions = {
  /** The QWAC and its key in PEM; left out, the TLS connection has no client certificate. */
  readonly certificate?: { readonly pem: string; readonly key: string };
  /** The issuer of the server's certificate in PEM. */
  readonly ca: string;
  /** Sees every exchange after it took place. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Milliseconds to wait for an answer. */
  readonly timeout?: number;
};

/** HTTP over mutual TLS, with connections kept alive. */
export function http({ certificate, ca, onExchange, timeout = 30_000 }: HttpOptions): Http {
  const identity = certificate && { cert: certificate.pem, key: certificate.key };
  const agent = new Agent({
    connect: { ...identity, ca },
    // Idle for longer, a connection could be closed by the bank in the moment in which a POST goes
    // out on it, and a POST is not sent twice.
    keepAliveTimeout: 1_000,
    keepAliveMaxTimeout: 1_000,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  return {
    send: async (sent) => {
      const reply = await exchange(sent, agent).catch((cause: unknown) => {
        throw new NoAnswer(sent.url, cause);
      });
      onExchange?.({ request: sent, reply });
      return reply;
    },
    close: () => agent.close(),
  };
}

async function exchange(sent: HttpRequest, agent: Agent): Promise<HttpReply> {
  const { statusCode, headers, body } = await request(sent.url, {
    dispatcher: agent,
    method: sent.method as "GET",
    headers: flat(sent.headers),
    body: sent.body ?? null,
  });
  const bytes = new Uint8Array(await body.arrayBuffer());
  return { status: statusCode, headers: joined(headers), body: bytes };
}

/** The `fetch` that other libraries ask for, over the same connections. */
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

function flat(headers: HttpRequest["headers"]): string[] {
  return headerPairs(headers).flat();
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

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, [value].flat().join(", ")]));
}
