import type { Presented } from "./context";
import { readRawRequest } from "./raw-request";

/** A request as it goes over the wire. */
export async function rawText(request: Request): Promise<string> {
  const { pathname, search } = new URL(request.url);
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  const body = await request.clone().text();
  return `${request.method} ${pathname}${search} HTTP/1.1\r\n${headers.join("")}\r\n${body}`;
}

export function presentedBy(text: string, qwac?: Uint8Array): Presented {
  const read = readRawRequest(Buffer.from(text));
  if ("fault" in read) throw new Error(read.fault);
  return { request: read.request, qwac };
}
