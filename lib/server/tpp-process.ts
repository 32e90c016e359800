import { fromProxy, fromTls, isAmong } from "./client-certificate";
import { brokenTppRequest } from "./client-errors";
import { dispatcher, type RouteFiles } from "./dispatch";
import { startExecution } from "./execution";
import { runHost } from "./host-process";
import { portsOf } from "./hosts";
import { loggingRequests, logsRequests } from "./request-log";
import { startSweep } from "./sweep";
import { tlsOf } from "./tls";
import { tppHost } from "./tpp-host";

/** The process that TPPs call. It knows no framework: the route files are called as they are. */
export function runTppHost(files: RouteFiles): Promise<void> {
  return runHost({
    name: "the TPP host",
    file: "tpp.mjs",
    url: ({ XS2A_URL }) => XS2A_URL,
    port: (settings) => portsOf(settings).tpp,
    prepares: true,
    jobs: (config) => [startSweep(config), startExecution(config)],
    open: async (settings) => {
      const { tls, renewedTls } = await tlsOf(settings, new Date());
      const { PROXY_PEERS, PROXY_SECRET, XS2A_URL } = settings;
      // Without `tls` a proxy speaks it in the place of this host.
      const throughProxy = tls === undefined;
      const peers = PROXY_PEERS ?? (throughProxy ? ["127.0.0.1", "::1"] : []);
      const certificate = PROXY_SECRET && throughProxy ? fromProxy(peers, PROXY_SECRET) : fromTls();
      const callers = { isProxy: isAmong(peers), throughProxy };
      const endpoints = tppHost(dispatcher(files, XS2A_URL), certificate);
      const handle = logsRequests(settings) ? loggingRequests(endpoints) : endpoints;
      const { tpp } = portsOf(settings);
      return { host: { ...tpp, tls, callers, handle, broken: brokenTppRequest }, renewedTls };
    },
  });
}
