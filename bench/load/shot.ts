import { type Headers, type Seal, signed } from "@/tpp/signing";

/** A request but for what is fresh in each: its id, date, digest and signature. */
export type Call = {
  readonly method: "GET" | "POST";
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  /** JSON. */
  readonly body?: string;
};

/** A signed request: its headers, and as it goes over the wire. */
export type Shot = { readonly headers: Headers; readonly bytes: Buffer };

export function shot(sealing: Seal, { method, path, headers, body = "" }: Call): Shot {
  const content = Buffer.from(body);
  const typed = body === "" ? headers : { "content-type": "application/json", ...headers };
  const complete: Headers = {
    host: "localhost",
    accept: "application/json",
    ...signed(sealing, content, typed),
    ...(body !== "" && { "content-length": String(content.byteLength) }),
  };
  const lines = Object.entries(complete).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return { headers: complete, bytes: Buffer.concat([head, content]) };
}
