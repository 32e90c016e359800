import { config } from "@/lib/config";
import { isAmong } from "@/lib/ip-address";
import { fromProxy, fromTls } from "./client-certificate";
import { dispatcher, type RouteFiles } from "./dispatch";
import { brokenTppRequest } from "./fault-answer";
import { runHost } from "./host-process";
import { portsOf } from "./hosts";
import { startEventKeeping, startExecution, startSweep } from "./jobs";
import { requestCounts, startRequestCounts } from "./request-counts";
import { logRequest, logsRequests, observingRequests } from "./requests-seen";
import { startRecord } from "./start-record";
import { startTlsRenewal, tlsOf } from "./tls";
import { tppHost } from "./tpp-host";

/** The process that TPPs call. It knows no framework: the route files are called as they are. */
export function runTppHost(files: RouteFiles): Promise<void> {
  return runHost({
    name: "the TPP host",
    file: "tpp.mjs",
    url: ({ XS2A_URL }) => XS2A_URL,
    ports: (settings) => [portsOf(settings).tpp],
    prepares: true,
    jobs: (config) => [
      startRecord("tpp", config),
      startSweep(config),
      startExecution(config),
      startEventKeeping(config),
    ],
    open: async (settings) => {
      const { tls, renewedTls } = await tlsOf(settings, new Date());
      const { PROXY_PEERS, PROXY_SECRET, XS2A_URL } = settings;
      // Without `tls` a proxy speaks it in the place of this host.
      const throughProxy = tls === undefined;
      const peers = PROXY_PEERS ?? (throughProxy ? ["127.0.0.1", "::1"] : []);
      const certificate = PROXY_SECRET && throughProxy ? fromProxy(peers, PROXY_SECRET) : fromTls();
      const callers = { isProxy: isAmong(peers), throughProxy };
      const endpoints = tppHost(dispatcher(files, XS2A_URL), certificate);
      const counts = requestCounts();
      const logged = logsRequests(settings) ? [logRequest] : [];
      const handle = observingRequests(endpoints, [counts.note, ...logged]);
      const { tpp } = portsOf(settings);
      const host = { ...tpp, tls, callers, handle, broken: brokenTppRequest };
      return [
        {
          host,
          records: () => startRequestCounts(counts, config().DATABASE_URL),
          ...(renewedTls && { beside: (listener) => startTlsRenewal(listener, renewedTls) }),
        },
      ];
    },
  });
}
