import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { guardedFetch, type Resolve } from "./guarded-fetch";

/** A server in a private network, which is refused unless its origin is allowed. */
export async function inside(
  answer: RequestListener = (_request, response) => response.end("inside"),
) {
  let connections = 0;
  const server = createServer(answer).on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}`, connections: () => connections };
}

const unasked: Resolve = () => Promise.reject(new Error("nobody should ask for a name"));

export function fetching(url: string, given: Partial<Parameters<typeof guardedFetch>[0]> = {}) {
  const guard = { allowedOrigins: [], millisecondsMax: 5_000, resolve: unasked, ...given };
  return guardedFetch(guard)({ url, bytesMax: 1_000 });
}
