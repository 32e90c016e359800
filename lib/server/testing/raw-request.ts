import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

export type Target = {
  readonly port: number;
  /** With it the connection is TLS; the server's certificate is not looked at. */
  readonly tls?: tls.ConnectionOptions;
};

export type RawAnswer = {
  readonly status: number;
  readonly head: string;
  readonly headers: Headers;
  readonly body: string;
};

/** Sends bytes as they are and reads until the other side closes the connection. */
export async function sendRaw(target: Target, bytes: string): Promise<RawAnswer> {
  const options = { port: target.port, host: "127.0.0.1" };
  const socket =
    target.tls === undefined
      ? net.connect(options)
      : tls.connect({ ...options, rejectUnauthorized: false, ...target.tls });
  socket.write(bytes, "latin1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return parse(Buffer.concat(chunks).toString());
}

/** One request with the given header lines, after which the connection is closed. */
export function get(
  target: Target,
  path: string,
  lines: readonly string[] = [],
  method = "GET",
): Promise<RawAnswer> {
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...lines];
  return sendRaw(target, `${head.join("\r\n")}\r\n\r\n`);
}

function parse(text: string): RawAnswer {
  const at = text.indexOf("\r\n\r\n");
  const head = text.slice(0, at);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(first.split(" ")[1]), head, headers, body: text.slice(at + 4) };
}
