import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export type RedirectListener = {
  /** e.g. `http://localhost:51234`: a redirect to any path under it arrives here. */
  readonly origin: string;
  /** The next redirect that has not been taken yet; rejects when none comes in time. */
  readonly next: (timeoutMilliseconds: number) => Promise<URL>;
  readonly close: () => Promise<void>;
};

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Back at the TPP</title></head>
<body><p>You can close this window.</p></body>
</html>
`;

/**
 * Waits on a loopback port for the PSU's browser to come back (RFC 8252). Port 0 takes any free one.
 * With a certificate it speaks https, which a bank demands outside a sandbox.
 * A request without `code` and without `error` is no redirect of the bank, a favicon for instance.
 */
export async function redirectListener(
  port = 0,
  certificate?: { readonly pem: string; readonly key: string },
): Promise<RedirectListener> {
  const arrived: URL[] = [];
  const waiting: ((url: URL) => void)[] = [];
  const answers = new Set<Promise<unknown>>();
  const listener: RequestListener = (request, response) => {
    const answered = once(response, "close").finally(() => answers.delete(answered));
    answers.add(answered);
    const url = new URL(request.url ?? "/", origin);
    const isRedirect = url.searchParams.has("code") || url.searchParams.has("error");
    if (isRedirect) {
      const taker = waiting.shift();
      if (taker === undefined) arrived.push(url);
      else taker(url);
    }
    answer(response, isRedirect);
  };
  const server =
    certificate === undefined
      ? createServer(listener)
      : createTlsServer({ cert: certificate.pem, key: certificate.key }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "localhost", resolve);
  });
  const scheme = certificate === undefined ? "http" : "https";
  const origin = `${scheme}://localhost:${(server.address() as AddressInfo).port}`;

  function next(timeoutMilliseconds: number): Promise<URL> {
    const first = arrived.shift();
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(taker), 1);
        reject(new Error("the PSU did not come back in time"));
      }, timeoutMilliseconds);
      const taker = (url: URL) => {
        clearTimeout(timer);
        resolve(url);
      };
      waiting.push(taker);
    });
  }

  /** Lets the browser have its page first; a connection it only holds open does not keep us. */
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all(answers);
    server.closeAllConnections();
    await closed;
  }

  return { origin, next, close };
}

function answer(response: ServerResponse, found: boolean): void {
  response.writeHead(found ? 200 : 404, {
    "content-type": "text/html; charset=utf-8",
    // The address holds the authorisation code.
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(found ? PAGE : "");
}
