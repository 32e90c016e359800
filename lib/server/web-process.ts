import { Server } from "node:http";
import type { Settings } from "@/lib/config";
import { isAmong } from "@/lib/ip-address";
import { answeringOutages, browserHost, readOutagePage } from "./browser-host";
import { filesBelow } from "./build";
import { runHost } from "./host-process";
import { portsOf, ROOT } from "./hosts";
import { browserAddress } from "./http";
import type { Host } from "./listeners";
import { markOwnProcess } from "./own-process";
import type { Shutdown } from "./processes";
import { brokenBrowserRequest } from "./security-headers";
import type { Handler } from "./tpp-host";

/** The process that browsers call: Next behind a listener of our own. */
export function runBrowserHost(): Promise<void> {
  return runHost({
    name: "the browser host",
    file: "web.mjs",
    url: ({ WEB_URL }) => WEB_URL,
    ports: (settings) => [portsOf(settings).browser],
    prepares: false,
    jobs: () => [],
    open: async (settings, shutdown) => [
      { host: await hostOf(settings, await startNext(new URL(settings.WEB_URL), shutdown)) },
    ],
  });
}

/** The built application. `webUrl` is what Next takes its own address from. */
async function startNext(webUrl: URL, shutdown: Shutdown): Promise<Handler> {
  markOwnProcess();
  // Loaded late: React chooses its build by NODE_ENV when it is loaded.
  const { default: next } = await import("next");
  const app = next({
    dev: false,
    dir: ROOT,
    hostname: webUrl.hostname,
    port: Number(webUrl.port) || (webUrl.protocol === "https:" ? 443 : 80),
    // Next would answer upgrades on the server of its first request; there are none to answer.
    httpServer: new Server(),
  });
  await app.prepare();
  shutdown.onStop({ finish: () => app.close() });
  return app.getRequestHandler();
}

async function hostOf(settings: Settings, next: Handler): Promise<Host> {
  const { PROXY_PEERS, WEB_CLIENT_ADDRESS } = settings;
  const webUrl = new URL(settings.WEB_URL);
  const https = webUrl.protocol === "https:";
  const files = filesBelow(ROOT, "public");
  const publicFiles = new Set(files.map((file) => file.replace(/^public/, "")));
  const addressOf = browserAddress(
    WEB_CLIENT_ADDRESS ?? (https ? "forwarded" : "socket"),
    isAmong(PROXY_PEERS ?? ["127.0.0.1", "::1"]),
  );
  const pages = browserHost(next, { webUrl, publicFiles, addressOf });
  const handle = answeringOutages(pages, { html: await readOutagePage(ROOT), https });
  return { ...portsOf(settings).browser, handle, broken: brokenBrowserRequest(https) };
}
