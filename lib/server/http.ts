import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";

/** Names and values in turn, as they were sent. */
type RawHeaders = Pick<IncomingMessage, "rawHeaders">;

/** Headers that only we and our own proxy may set: what a caller sends under these names is dropped. */
const ours =
  /^(client-cert|client-cert-chain|client-address|forwarded|x-proxy-secret|content-security-policy.*)$/;
const oursByPrefix =
  /^(x-forwarded-|x-ssl-|x-middleware-|x-invoke-|x-matched-path|x-now-|x-vercel-)/;
/** Sent only by Next's client. */
const browserOnly = /^(rsc|next-.*|x-nextjs-.*)$/;

/**
 * Headers that a signature covers, or that decide what a request means. Sent twice they would be joined or dropped
 * before the handler, and what is checked would not be what was signed.
 */
const once =
  /^(digest|signature|date|x-request-id|authorization|consent-id|host|content-type|tpp-.*|psu-.*)$/;

type Kind = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly isBrowserOnly: boolean;
  readonly isOnce: boolean;
};

/** Of cached names: callers send the same few all day. */
const NAMES_MAX = 1_000;
const NAME_CHARACTERS_MAX = 64;
const kinds = new Map<string, Kind>();

function kindOf(sent: string): Kind {
  const known = kinds.get(sent);
  if (known !== undefined) return known;
  const name = sent.toLowerCase();
  const kind = {
    name,
    isOurs: ours.test(name) || oursByPrefix.test(name) || name.includes("_"),
    isBrowserOnly: browserOnly.test(name),
    isOnce: once.test(name),
  };
  if (kinds.size < NAMES_MAX && sent.length <= NAME_CHARACTERS_MAX) kinds.set(sent, kind);
  return kind;
}

export function dropOurHeaders(request: IncomingMessage): void {
  drop(request, ({ isOurs }) => isOurs);
}

export function dropBrowserHeaders(request: IncomingMessage): void {
  drop(request, ({ isBrowserOnly }) => isBrowserOnly);
}

/** Sets a header of ours where a caller's of that name has been dropped. */
export function setHeader(request: IncomingMessage, name: string, value: string): void {
  // Read first: Node makes them from the raw headers, and by the count it began with.
  const { headers } = request;
  request.rawHeaders.push(name, value);
  headers[name] = value;
}

/** What is wrong with the names of the headers, in words for the TPP's developer. */
export function headerFault({ rawHeaders }: RawHeaders): string | undefined {
  const single = new Set<string>();
  let twice: string | undefined;
  for (const { name, isOnce } of kindsOf(rawHeaders)) {
    // A proxy that writes X_Y as X-Y would turn a stranger's header into one of ours.
    if (name.includes("_")) return "A header name must not contain an underscore";
    if (isOnce && single.has(name)) twice ??= name;
    if (isOnce) single.add(name);
  }
  return twice === undefined ? undefined : `The header ${twice} was sent twice`;
}

/** The value of a header that was sent exactly once. */
export function onlyValue({ rawHeaders }: RawHeaders, wanted: string): string | undefined {
  const values = kindsOf(rawHeaders).flatMap(({ name }, at) =>
    name === wanted ? [rawHeaders[2 * at + 1]] : [],
  );
  return values.length === 1 ? values[0] : undefined;
}

function kindsOf(raw: readonly string[]): readonly Kind[] {
  return raw.filter((_, at) => at % 2 === 0).map(kindOf);
}

function drop(request: IncomingMessage, isUnwanted: (kind: Kind) => boolean): void {
  const { headers, rawHeaders } = request;
  const unwanted = kindsOf(rawHeaders).map(isUnwanted);
  // Most callers send nothing that has to be dropped.
  if (!unwanted.includes(true)) return;
  for (const name of Object.keys(headers)) if (isUnwanted(kindOf(name))) delete headers[name];
  request.rawHeaders = rawHeaders.filter((_, at) => unwanted[at >> 1] === false);
}

/** Never a page and never an endpoint: Next answers it with the not-found page. */
export const noSuchPage = "/no-such-page";
/** The catch-all route of the TPP host answers it: certificate first, then 404 as tppMessages. */
export const noSuchResource = "/open-banking/unknown";

/**
 * RFC 6960 A.1: an OCSP request as base64 in the last segment, whose slashes have to be escaped. It
 * holds nothing that could be read as another path.
 */
const ocspRequest = /^\/sandbox\/ocsp\/(?:[A-Za-z0-9+=]|%2[BbFf]|%3[Dd])+$/;

/**
 * The path of a request target, decoded; undefined for what two readers could read in two ways
 * (absolute form, empty or dot segments, backslashes, broken escapes, an escaped slash).
 */
export function plainPath(target: string): string | undefined {
  const [path = ""] = target.split("?", 1);
  if (ocspRequest.test(path)) return path;
  if (!path.startsWith("/") || /\/\/|%2f|%5c|[\\#]/i.test(path)) return undefined;
  const decoded = decode(path);
  if (decoded === undefined || /\p{Cc}/u.test(decoded)) return undefined;
  return decoded.split("/").some((part) => part === "." || part === "..") ? undefined : decoded;
}

export function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Where the TPP calls from. Known only where its TLS connection ends here: a proxy's peer is the proxy. */
export function clientAddress({ socket }: IncomingMessage): string | undefined {
  return socket instanceof TLSSocket ? socket.remoteAddress : undefined;
}

export type AddressOf = (request: IncomingMessage) => string | undefined;

/** From which source the browser host learns where a browser calls from; `none` where it cannot. */
export type AddressSource = "socket" | "forwarded" | "none";

/**
 * Where a browser calls from. `forwarded`: the last address of X-Forwarded-For, which the proxy has added itself;
 * those before it are what the caller wrote. It is believed from the proxy's addresses only.
 */
export function browserAddress(
  source: AddressSource,
  isProxy: (address: string | undefined) => boolean,
): AddressOf {
  if (source === "none") return () => undefined;
  if (source === "socket") return ({ socket }) => socket.remoteAddress;
  return (request) => {
    if (!isProxy(request.socket.remoteAddress)) return undefined;
    // Sent several times, Node joins it with commas, in the order of sending.
    const last = String(request.headers["x-forwarded-for"]).split(",").at(-1)?.trim();
    return last !== undefined && isIP(last) !== 0 ? last : undefined;
  };
}

/** A complete answer that takes the place of the one a handler was about to give. */
export type Replacement = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Guard = (response: ServerResponse) => Replacement | undefined;
type HeadArguments = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

/** Runs `guard` just before the headers are sent. It may change them, or replace the whole answer. */
export function guardResponse(response: ServerResponse, guard: Guard): void {
  const { writeHead, write, end } = response;
  let replacement: Replacement | undefined;
  let decided = false;

  const decide = () => {
    if (decided) return;
    decided = true;
    replacement = guard(response);
    if (replacement === undefined) return;
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = replacement.status;
    for (const [name, value] of Object.entries(replacement.headers)) {
      response.setHeader(name, value);
    }
  };

  Object.assign(response, {
    writeHead: (status: number, ...rest: HeadArguments) => {
      if (decided) return writeHead.call(response, response.statusCode);
      response.statusCode = status;
      for (const argument of rest) {
        if (typeof argument === "string") response.statusMessage = argument;
        else setAll(response, argument);
      }
      decide();
      return writeHead.call(response, response.statusCode);
    },
    write: (...all: unknown[]) => {
      decide();
      if (replacement === undefined) return Reflect.apply(write, response, all);
      callbackOf(all)?.();
      return true;
    },
    end: (...all: unknown[]) => {
      decide();
      if (replacement === undefined) return Reflect.apply(end, response, all);
      return Reflect.apply(end, response, [replacement.body, callbackOf(all)]);
    },
  });
}

function setAll(
  response: ServerResponse,
  headers: OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined,
): void {
  if (Array.isArray(headers)) {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const value = headers[at + 1];
      if (value !== undefined) response.appendHeader(String(headers[at]), asText(value));
    }
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined) response.setHeader(name, value);
  }
}

function asText(value: OutgoingHttpHeader): string | readonly string[] {
  return typeof value === "number" ? String(value) : value;
}

export function callbackOf(all: readonly unknown[]): (() => void) | undefined {
  const last = all.at(-1);
  return typeof last === "function" ? () => last() : undefined;
}
