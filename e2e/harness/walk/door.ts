import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Where the TPP's PSUs come back to. Other than the TPP's own listener it keeps what comes twice. */
export type Door = {
  readonly origin: string;
  /** All that has come with this state since it was last asked, in order. */
  readonly taken: (state: string) => readonly string[];
  readonly close: () => Promise<void>;
};

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Back at the TPP</title>
<link rel="icon" href="data:,"><h1>Back at the TPP</h1></html>`;

export async function openDoor(): Promise<Door> {
  const came = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const state = url.searchParams.get("state") ?? "none";
    came.set(state, [...(came.get(state) ?? []), url.href]);
    const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
    response.writeHead(200, { ...headers, "referrer-policy": "no-referrer" }).end(PAGE);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "localhost", resolve);
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    taken: (state) => {
      const found = came.get(state) ?? [];
      came.delete(state);
      return found;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
