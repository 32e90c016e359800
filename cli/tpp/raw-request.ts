import { X509Certificate } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { type Exchange, type HttpRequest, headerPairs } from "@/clients/typescript/src";

/** The request as it went over the wire, and the QWAC of its connection as a header (RFC 9440). */
export function rawRequest({ method, url, headers, body }: HttpRequest, qwacPem: string): Buffer {
  const { host, pathname, search } = new URL(url);
  const qwac = new X509Certificate(qwacPem).raw.toString("base64");
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...headerPairs(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.byteLength}`]),
    `client-cert: :${qwac}:`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body ?? new Uint8Array()]);
}

/** Keeps the last request that was refused, for its owner's eyes only: it may hold an access token. */
export function saveRefused(file: string, qwacPem: string): (exchange: Exchange) => void {
  return ({ request, reply }) => {
    if (reply.status < 400) return;
    writeFileSync(file, rawRequest(request, qwacPem), { mode: 0o600 });
    // The mode above is for new files only.
    chmodSync(file, 0o600);
    console.error(`The refused request is in ${file}: npm run tpp -- explain ${file}`);
  };
}
