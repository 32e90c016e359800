import { Server } from "node:http";
import { markOwnProcess } from "./own-process";
import type { Handler } from "./tpp-host";

export type App = { readonly handle: Handler; close(): Promise<void> };

/** The built application in `root`, in this process. `webUrl` is what Next takes its own address from. */
export async function startNext(root: string, webUrl: URL): Promise<App> {
  markOwnProcess();
  // Loaded late: React chooses its build by NODE_ENV when it is loaded.
  const { default: next } = await import("next");
  const app = next({
    dev: false,
    dir: root,
    hostname: webUrl.hostname,
    port: Number(webUrl.port) || (webUrl.protocol === "https:" ? 443 : 80),
    // Next would answer upgrades on the server of its first request; there are none to answer.
    httpServer: new Server(),
  });
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}
