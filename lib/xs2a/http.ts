/**
 * What is read of a request. Next's `Request` is one; the TPP listener, which needs no framework to find
 * a handler, hands over one that costs less to make.
 */
export type HttpRequest = HttpHead & {
  /** Null where there is none; its parts are never more than they were on the wire. */
  readonly body: HttpBody | null;
};

export type HttpHead = {
  readonly method: string;
  readonly url: string;
  readonly headers: HttpHeaders;
};

/** Names are asked for in small letters. */
export type HttpHeaders = Pick<Headers, "get" | "has"> & Iterable<[string, string]>;

type HttpBody = { readonly getReader: () => { readonly read: () => Promise<Part> } };
type Part =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: unknown };

/** A whole answer, before anybody writes it to a connection. */
export type HttpAnswer = {
  readonly status: number;
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
};

/** The same for whoever speaks in the words of the Web. */
export function responseOf({ status, headers, body }: HttpAnswer): Response {
  return new Response(body ?? null, { status, headers });
}
