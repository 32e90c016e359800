import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

export type BareServer = { readonly url: string; readonly close: () => Promise<void> };

/** What Node itself does at most: a handler that checks nothing and writes the same bytes. */
export async function bareServer(body: string): Promise<BareServer> {
  const child = fork(fileURLToPath(import.meta.url), [body], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error("the bare server did not start");
  });
  const [port] = await Promise.race([once(child, "message"), failed]);
  const close = async () => {
    child.kill();
    await ended;
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

const [, file, body] = process.argv;
if (process.send !== undefined && file === fileURLToPath(import.meta.url) && body !== undefined) {
  const bytes = Buffer.from(body);
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": bytes.byteLength,
    });
    response.end(bytes);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}
