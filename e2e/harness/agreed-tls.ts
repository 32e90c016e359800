import { once } from "node:events";
import { type ConnectionOptions, connect } from "node:tls";
import type { Target } from "@/bench/load/connection";

/** What a server and a client with these wishes agree on, or what they cannot. */
export async function agreedTls(
  { port, ca, certificate }: Target,
  wishes: Pick<ConnectionOptions, "ciphers" | "minVersion" | "maxVersion">,
): Promise<string> {
  const { pem: cert, key } = certificate;
  const socket = connect({
    host: "localhost",
    servername: "localhost",
    port,
    ca,
    cert,
    key,
    ...wishes,
  });
  try {
    await once(socket, "secureConnect");
    const { name } = socket.getCipher();
    return `${socket.getProtocol()} ${name} ${JSON.stringify(socket.getEphemeralKeyInfo())}`;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^[0-9A-F]+:/, "") : "no error";
  } finally {
    socket.destroy();
  }
}
