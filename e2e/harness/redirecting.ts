import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A TPP whose callback sends the browser on to its app, which has another origin. */
export async function redirectingTpp() {
  const app = await serve((response) => response.end("the app"));
  const location = `${app.origin}/app`;
  const callback = await serve((response) => response.writeHead(302, { location }).end());
  return {
    redirectUri: `${callback.origin}/callback`,
    app: location,
    close: () => Promise.all([app.close(), callback.close()]),
  };
}

async function serve(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => {
    response.setHeader("connection", "close");
    answer(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
