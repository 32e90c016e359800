import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** Where the TPP calls from. Known only where its TLS connection ends here: a proxy's peer is the proxy. */
export function clientAddress({ socket }: IncomingMessage): string | undefined {
  return socket instanceof TLSSocket ? socket.remoteAddress : undefined;
}
