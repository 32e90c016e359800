import { Server } from "node:http";
import { config, type Settings } from "@/lib/config";
import { isAmong } from "@/lib/ip-address";
import { answeringOutages, browserHost, outagePage } from "./browser-host";
import { filesBelow } from "./build";
import { brokenBrowserRequest } from "./fault-answer";
import { runHost } from "./host-process";
import { metricsPortOf, type Port, portsOf, ROOT } from "./hosts";
import { browserAddress } from "./http";
import type { Host } from "./listeners";
import { markOwnProcess } from "./own-process";
import type { Shutdown } from "./processes";
import { requestCounts, startRequestCounts } from "./request-counts";
import { measureRequest, observingRequests } from "./requests-seen";
import { startRecord } from "./start-record";
import type { Handler } from "./tpp-host";
import { startTrustedLists } from "./trusted-lists";

/** The process that browsers call: Next behind a listener of our own. */
export function runBrowserHost(): Promise<void> {
  return runHost({
    name: "the browser host",
    file: "web.mjs",
    url: ({ WEB_URL }) => WEB_URL,
    ports: (settings) => {
      const { browser, staff } = portsOf(settings);
      return staff === undefined ? [browser] : [browser, staff];
    },
    metrics: (settings) => metricsPortOf(settings, "WEB_METRICS_PORT"),
    prepares: false,
    jobs: (config) => [startRecord("web", config), startTrustedLists(config)],
    open: async (settings, shutdown) => {
      const next = await startNext(new URL(settings.WEB_URL), shutdown);
      const { browser, staff } = portsOf(settings);
      const psus = { port: browser, webUrl: settings.WEB_URL, part: "psu" } as const;
      const host = await hostOf(settings, next, psus);
      const counts = requestCounts();
      const measured = settings.WEB_METRICS_PORT === undefined ? [] : [measureRequest];
      const ofPsus = {
        host: { ...host, handle: observingRequests(host.handle, [counts.note, ...measured]) },
        records: () => startRequestCounts(counts, config().DATABASE_URL),
      };
      if (staff === undefined) return [ofPsus];
      const console = { port: staff, webUrl: settings.STAFF_URL, part: "staff" } as const;
      const ofStaff = await hostOf(settings, next, console);
      return [
        ofPsus,
        { host: { ...ofStaff, handle: observingRequests(ofStaff.handle, measured) } },
      ];
    },
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

type Shown = { readonly port: Port; readonly webUrl: string; readonly part: "psu" | "staff" };

/** Of one origin: pages of PSUs and of staff are on two, so that nothing of the one can be had on the other. */
async function hostOf(
  settings: Settings,
  next: Handler,
  { port, part, ...shown }: Shown,
): Promise<Host> {
  const { PROXY_PEERS, WEB_CLIENT_ADDRESS } = settings;
  const webUrl = new URL(shown.webUrl);
  const https = webUrl.protocol === "https:";
  const files = filesBelow(ROOT, "public");
  const publicFiles = new Set(files.map((file) => file.replace(/^public/, "")));
  const addressOf = browserAddress(
    WEB_CLIENT_ADDRESS ?? (https ? "forwarded" : "socket"),
    isAmong(PROXY_PEERS ?? ["127.0.0.1", "::1"]),
  );
  const pages = browserHost(next, { webUrl, part, publicFiles, addressOf });
  const handle = answeringOutages(pages, { html: await outagePage(next), https });
  return { ...port, handle, broken: brokenBrowserRequest(https) };
}
