import { transcode } from "node:buffer";
import { isUuid } from "@/lib/domain/values";
import type { Body } from "@/lib/read-body";

/**
 * What is read of a request. Next's `Request` is one; the TPP listener, which needs no framework to find
 * a handler, hands over one that costs less to make.
 */
export type HttpRequest = HttpHead & {
  /** Null where there is none; its parts are never more than they were on the wire. */
  readonly body: Body | null;
};

export type HttpHead = {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
};

/** Names are asked for in small letters. */
export type HttpHeaders = Pick<Headers, "get" | "has"> & Iterable<[string, string]>;

/** A whole answer, before anybody writes it to a connection. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

export function responseOf({ status, headers, body }: HttpAnswer): Response {
  return new Response(body ?? null, { status, headers });
}

/** What a request and its answer share, also when it fails. */
export type Exchange = {
  /** Echoed to the TPP; made here when the TPP sent none that could be echoed. */
  readonly requestId: string;
  readonly interactionId: string;
  /** The TPP reads problem documents (RFC 7807) and not plain JSON. */
  readonly prefersProblem: boolean;
  /** A HEAD is answered like a GET, without the body. */
  readonly bodyless: boolean;
  /** By the machine's steady clock, which no sandbox moves. */
  readonly openedAtMs: number;
};

export function openExchange(request: HttpHead): Exchange {
  const { headers } = request;
  const accepts = (type: string) => headers.get("accept")?.toLowerCase().includes(type) === true;
  return {
    requestId: echoed(headers.get("x-request-id")),
    interactionId: echoed(headers.get("x-fapi-interaction-id")),
    prefersProblem: accepts("application/problem+json") && !accepts("application/json"),
    bodyless: request.method === "HEAD",
    openedAtMs: performance.now(),
  };
}

/** Only a UUID is ever echoed, so nothing a caller sends can shape our headers or logs. */
function echoed(value: string | null): string {
  return value !== null && isUuid(value) ? value : crypto.randomUUID();
}

const CAPITALS = new Set(["tpp", "psu", "uri", "id", "ip"]);

const SPELLED: Readonly<Record<string, string>> = { nofunds: "NoFunds" };

/** `tpp-nok-redirect-uri` as the standard writes it: `TPP-Nok-Redirect-URI`. */
export function headerName(lowerCase: string): string {
  return lowerCase
    .split("-")
    .map((word) => SPELLED[word] ?? capitalised(word))
    .join("-");
}

function capitalised(word: string): string {
  return CAPITALS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
}

/** As many characters as always fit: UTF-8 needs three bytes at most for each UTF-16 unit. */
const CHARACTERS_MAX = 256 * 1024;
const buffer = Buffer.allocUnsafeSlow(3 * CHARACTERS_MAX);

/** From here on it takes a third of the time by way of UTF-16, unless all of the text is ASCII. */
const CHARACTERS_LONG = 2_048;

/** Encodes to UTF-8 in one pass: counting the bytes first takes as long as writing them. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > CHARACTERS_MAX) return Buffer.from(text);
  if (text.length >= CHARACTERS_LONG) return fromUtf16(text);
  return Buffer.from(buffer.subarray(0, buffer.write(text)));
}

function fromUtf16(text: string): Uint8Array<ArrayBuffer> {
  const utf16 = buffer.subarray(0, buffer.write(text, "utf16le"));
  try {
    return transcode(utf16, "utf16le", "utf8");
  } catch {
    // One half of a pair has no UTF-8: it is replaced.
    return Buffer.from(text);
  }
}
