import type { IncomingMessage } from "node:http";

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

type Kind = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly isBrowserOnly: boolean;
  readonly isOnce: boolean;
};

/** Of names that are kept: callers send the same few all day, and any other is looked at each time. */
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
  const single: string[] = [];
  let twice: string | undefined;
  for (const { name, isOnce } of kindsOf(rawHeaders)) {
    // A proxy that writes X_Y as X-Y would turn a stranger's header into one of ours.
    if (name.includes("_")) return "A header name must not contain an underscore";
    if (isOnce && single.includes(name)) twice ??= name;
    if (isOnce) single.push(name);
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
