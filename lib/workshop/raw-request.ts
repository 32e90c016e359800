/** A request as it stood on the wire. */
export type RawRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** In their order; each byte of a value is a character, as Node hands them on. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
};

type ReadRequest = { readonly request: RawRequest } | { readonly fault: string };

const REQUEST_LINE = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/;
const COMMAND = /^(?:[$#] *)?curl\s/;
const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Reads request line, headers, a blank line and the body; line ends may be CR LF or LF, and it may be
 * what curl -v prints. Whether the body is the one that was sent is for `bodyAsSent` to say.
 */
export function readRawRequest(bytes: Uint8Array): ReadRequest {
  const text = sentByCurl(Buffer.from(bytes).toString("latin1")).replace(/^\s+/, "");
  if (COMMAND.test(text)) {
    return { fault: "That is a command: run it with -v added, and paste what it prints." };
  }
  const blank = /\r?\n\r?\n/.exec(text);
  const head = blank === null ? text : text.slice(0, blank.index);
  const body = blank === null ? "" : text.slice(blank.index + blank[0].length);
  const [first = "", ...lines] = head.trimEnd().split(/\r?\n/);
  const [, method, target] = REQUEST_LINE.exec(first.trimEnd()) ?? [];
  if (method === undefined || target === undefined) {
    return { fault: "The first line is not a request line, as in GET /path HTTP/1.1." };
  }
  const headers: (readonly [string, string])[] = [];
  for (const [index, line] of lines.entries()) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      return { fault: `Line ${index + 2} is not a header, as in Name: value.` };
    }
    headers.push([name, value]);
  }
  const path = originForm(target);
  if (path === undefined) return { fault: "The request line names no path." };
  return { request: { method, target: path, headers, body: Buffer.from(body, "latin1") } };
}

/** The one value of a header, whatever its case; undefined when it is not there. */
export function headerOf({ headers }: RawRequest, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The characters that the bytes of a value were before they went over the wire. */
export function asPasted(value: string): string {
  return Buffer.from(value, "latin1").toString("utf8");
}

/** Programs also write the whole URL into the line. */
function originForm(target: string): string | undefined {
  if (target.startsWith("/")) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

const SENT = /^> ?/;
const SENT_REQUEST_LINE = /^> [A-Z]+ \S+ HTTP\//;
/** What curl says itself, what it received, and how many bytes went to and fro. */
const OTHER = /^(?:[*<](?: |$)|[{}] \[\d+ bytes data\])/;

/**
 * The last request in what `curl -v` prints, where each line that was sent begins with `>`; any other
 * text comes back as it is. curl does not print the body: it may be added after the blank line.
 */
export function sentByCurl(text: string): string {
  const lines = text.split(/\r?\n/);
  const start = lines.findLastIndex((line) => SENT_REQUEST_LINE.test(line));
  if (start === -1) return text;
  const sent = lines.slice(start);
  const end = sent.findIndex((line) => line.trimEnd() === ">");
  const head = end === -1 ? sent : sent.slice(0, end);
  const rest = end === -1 ? [] : sent.slice(end + 1);
  const first = rest.findIndex((line) => OTHER.test(line));
  const body = first === -1 ? rest : rest.slice(0, first);
  const headers = head.filter((line) => SENT.test(line)).map((line) => line.replace(SENT, ""));
  return [...headers, "", ...body].join("\n");
}

/** In a header's place: it is the same for every secret, so that not even the length is shown. */
export const HIDDEN = "(hidden)";
/** With the `>` or `<` of curl -v or without. A scheme, as in `Bearer`, may be seen. */
const SECRET_HEADER =
  /^((?:[<>] ?)?(?:proxy-authorization|authorization|cookie|set-cookie):[ \t]*(?:(?:bearer|basic|dpop)[ \t]+)?)[^\r\n]*/gim;
const SECRET_PARAMETER =
  /(^|[?&\s])((?:access_token|refresh_token|token|code|code_verifier|client_secret|client_assertion)=)[^&\s]+/gi;
/** Of an answer that was pasted as well; there `code` is what went wrong. */
const SECRET_MEMBER =
  /("(?:access_token|refresh_token|id_token|code_verifier|client_secret|client_assertion)"\s*:\s*")(?:[^"\\]|\\.)*/gi;

/** A request, or a part of one, with its tokens, codes and passwords hidden. */
export function withoutSecrets(text: string): string {
  return text
    .replace(SECRET_HEADER, `$1${HIDDEN}`)
    .replace(SECRET_PARAMETER, `$1$2${HIDDEN}`)
    .replace(SECRET_MEMBER, `$1${HIDDEN}`);
}

/** Whether a header's value is one that was hidden, and then pasted again. */
export function isHidden(value: string | null): boolean {
  return value?.includes(HIDDEN) === true;
}
