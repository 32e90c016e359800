import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";

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
