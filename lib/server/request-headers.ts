import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Names and values as they were sent, by turns. */
type RawHeaders = Pick<IncomingMessage, "rawHeaders">;

/** Headers that only we and our own proxy may set: what a caller sends under these names is dropped. */
const ours =
  /^(client-cert|client-cert-chain|client-address|forwarded|x-proxy-secret|content-security-policy.*)$/;
const oursByPrefix =
  /^(x-forwarded-|x-ssl-|x-middleware-|x-invoke-|x-matched-path|x-now-|x-vercel-)/;
/** What only the browser's half of Next sends; on the TPP host nobody has a use for it. */
const browserOnly = /^(rsc|next-.*|x-nextjs-.*)$/;

/**
 * Headers that a signature covers, or that decide what a request means. Sent twice they would be
 * joined or halved on the way to the handler, and what is checked would not be what was signed.
 */
const once =
  /^(digest|signature|date|x-request-id|authorization|consent-id|host|content-type|tpp-.*|psu-.*)$/;

export function dropOurHeaders(request: IncomingMessage): void {
  drop(request, (name) => ours.test(name) || oursByPrefix.test(name) || name.includes("_"));
}

export function dropBrowserHeaders(request: IncomingMessage): void {
  drop(request, (name) => browserOnly.test(name));
}

/** Sets a header of ours where a caller's of that name has been dropped. */
export function setHeader(request: IncomingMessage, name: string, value: string): void {
  request.rawHeaders.push(name, value);
  request.headers[name] = value;
}

/** What is wrong with the names of the headers, in words for the TPP's developer. */
export function headerFault(request: RawHeaders): string | undefined {
  const names = headerNames(request);
  // A proxy that writes X_Y as X-Y would turn a stranger's header into one of ours.
  const underscored = names.find((name) => name.includes("_"));
  if (underscored !== undefined) return "A header name must not contain an underscore";
  const twice = names.find((name, at) => once.test(name) && names.indexOf(name) !== at);
  return twice === undefined ? undefined : `The header ${twice} was sent twice`;
}

/** The value of a header that was sent exactly once. */
export function onlyValue(request: IncomingMessage, wanted: string): string | undefined {
  const values = headerNames(request).flatMap((name, at) =>
    name === wanted ? [request.rawHeaders[2 * at + 1]] : [],
  );
  return values.length === 1 ? values[0] : undefined;
}

function headerNames(request: RawHeaders): string[] {
  return request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
}

function drop(request: IncomingMessage, unwanted: (name: string) => boolean): void {
  // Read first: Node makes them from the raw headers, and by the count it began with.
  const headers: IncomingHttpHeaders = request.headers;
  for (const name of Object.keys(headers)) if (unwanted(name)) delete headers[name];
  const raw = request.rawHeaders;
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at], raw[at + 1]];
    if (name !== undefined && value !== undefined && !unwanted(name.toLowerCase())) {
      kept.push(name, value);
    }
  }
  request.rawHeaders = kept;
}
