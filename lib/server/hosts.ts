import type { Settings } from "@/lib/config";
import { browserHost } from "./browser-host";
import { filesBelow } from "./build-stamp";
import { builtRoutes } from "./built-routes";
import { browserAddress } from "./client-address";
import { fromProxy, fromTls, isAmong } from "./client-certificate";
import { brokenTppRequest } from "./client-errors";
import { dispatcher } from "./dispatch";
import { answeringHealth, type Readiness } from "./health";
import type { Host, Tls } from "./listeners";
import { answeringOutages, readOutagePage } from "./outage-page";
import { loggingRequests, logsRequests } from "./request-log";
import { brokenBrowserRequest } from "./security-headers";
import { type Handler, tppHost } from "./tpp-host";

type Application = {
  readonly handle: Handler;
  readonly inContext: (handle: Handler) => Handler;
  readonly readiness: Pick<Readiness, "isReady">;
};

export function portsOf(settings: Settings) {
  // A sandbox's passwords are printed on the screen: nobody else's machine gets to try them.
  const loopbackOnly = settings.SANDBOX && !settings.SANDBOX_PUBLIC;
  const common = { loopbackOnly, keepAlive: settings.KEEP_ALIVE };
  const tpp = { ...common, setting: "XS2A_PORT", port: settings.XS2A_PORT } as const;
  const browser = { ...common, setting: "WEB_PORT", port: settings.WEB_PORT } as const;
  return { tpp, browser };
}

/** Both hosts of the bank. Without `tls` a proxy speaks it in the place of the first. */
export async function hostsOf(
  root: string,
  settings: Settings,
  tls: Tls | undefined,
  { handle, inContext, readiness }: Application,
): Promise<readonly Host[]> {
  const { tpp, browser } = portsOf(settings);
  const { PROXY_PEERS, PROXY_SECRET, WEB_CLIENT_ADDRESS } = settings;
  const throughProxy = tls === undefined;
  const thisMachine = ["127.0.0.1", "::1"];
  const peers = PROXY_PEERS ?? (throughProxy ? thisMachine : []);
  const certificate = PROXY_SECRET && throughProxy ? fromProxy(peers, PROXY_SECRET) : fromTls();
  const callers = { isProxy: isAmong(peers), throughProxy };
  const webUrl = new URL(settings.WEB_URL);
  const files = filesBelow(root, "public");
  const publicFiles = new Set(files.map((file) => file.replace(/^public/, "")));
  const https = webUrl.protocol === "https:";
  const html = await readOutagePage(root);
  const addressOf = browserAddress(
    WEB_CLIENT_ADDRESS ?? (https ? "forwarded" : "socket"),
    isAmong(PROXY_PEERS ?? thisMachine),
  );
  const ofBrowsers = browserHost(handle, { webUrl, publicFiles, addressOf });
  const pages = answeringOutages(ofBrowsers, { html, https });
  const ways = { origin: settings.XS2A_URL, otherwise: handle, inContext };
  const endpoints = tppHost(dispatcher(await builtRoutes(root), ways), certificate);
  const handleTpps = logsRequests(settings) ? loggingRequests(endpoints) : endpoints;
  const broken = brokenBrowserRequest(https);
  return [
    { ...tpp, tls, callers, handle: handleTpps, broken: brokenTppRequest },
    { ...browser, handle: inContext(answeringHealth(pages, readiness)), broken },
  ];
}
