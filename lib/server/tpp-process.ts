import { config, type Settings } from "@/lib/config";
import { tppOfClientCert } from "@/lib/eidas/client-certificate";
import { isAmong } from "@/lib/ip-address";
import { bankProfile } from "@/lib/profile/in-force";
import { services } from "@/lib/services";
import { bankHost, brokenBankRequest, problemOfStatus } from "./bank-host";
import { fromProxy, fromTls, fromVerifiedTls } from "./client-certificate";
import { type Answers, dispatcher, type RouteFiles } from "./dispatch";
import { brokenTppRequest } from "./fault-answer";
import { type OpenedHost, runHost } from "./host-process";
import { metricsPortOf, portsOf } from "./hosts";
import { startEventKeeping, startExecution, startSweep, startWebhooks } from "./jobs";
import { requestCounts, startRequestCounts } from "./request-counts";
import { logRequest, logsRequests, measureRequest, observingRequests } from "./requests-seen";
import { startRecord } from "./start-record";
import { bankApiTlsOf, startTlsRenewal, tlsOf } from "./tls";
import { tppHost } from "./tpp-host";
import { servingInTurn } from "./tpp-request-queue";
import { startTrustedLists } from "./trusted-lists";

/**
 * The process that TPPs call, and on another port the bank's own systems. It knows no framework: the route files are
 * called as they are.
 */
export function runTppHost(ofTpps: RouteFiles, ofBank: Answers): Promise<void> {
  return runHost({
    name: "the TPP host",
    file: "tpp.mjs",
    url: ({ XS2A_URL }) => XS2A_URL,
    ports: (settings) => {
      const { tpp, bankApi } = portsOf(settings);
      return bankApi === undefined ? [tpp] : [tpp, bankApi];
    },
    metrics: (settings) => metricsPortOf(settings, "XS2A_METRICS_PORT"),
    prepares: true,
    jobs: (config) => [
      startRecord("tpp", config),
      startSweep(config),
      startExecution(config),
      startEventKeeping(config),
      startWebhooks(config),
      startTrustedLists(config),
    ],
    open: async (settings) => [
      await tppHostOf(settings, ofTpps),
      ...(await bankApiHostsOf(settings, ofBank)),
    ],
  });
}

async function tppHostOf(settings: Settings, files: RouteFiles): Promise<OpenedHost> {
  const shown = await tlsOf(settings, new Date());
  const { PROXY_PEERS, PROXY_SECRET, XS2A_URL } = settings;
  // Without it a proxy speaks it in the place of this host.
  const throughProxy = shown === undefined;
  const peers = PROXY_PEERS ?? (throughProxy ? ["127.0.0.1", "::1"] : []);
  const certificate = PROXY_SECRET && throughProxy ? fromProxy(peers, PROXY_SECRET) : fromTls();
  const callers = { isProxy: isAmong(peers), throughProxy };
  const served = servingInTurn(dispatcher(files, XS2A_URL), {
    callerOf: (clientCert) => tppOfClientCert(clientCert, services().trustAnchors),
    limits: bankProfile(),
  });
  const endpoints = tppHost(served, certificate);
  const counts = requestCounts();
  const logged = logsRequests(settings) ? [logRequest] : [];
  const measured = settings.XS2A_METRICS_PORT === undefined ? [] : [measureRequest];
  const handle = observingRequests(endpoints, [counts.note, ...logged, ...measured]);
  const { tpp } = portsOf(settings);
  return {
    host: { ...tpp, tls: shown?.tls, callers, handle, broken: brokenTppRequest },
    records: () => startRequestCounts(counts, config().DATABASE_URL),
    ...(shown && { beside: (listener) => startTlsRenewal(listener, shown) }),
  };
}

/** None where the port is not set. */
async function bankApiHostsOf(
  settings: Settings,
  answers: Answers,
): Promise<readonly OpenedHost[]> {
  const { bankApi: port } = portsOf(settings);
  if (port === undefined) return [];
  const shown = await bankApiTlsOf(settings, new Date());
  const certificate = shown.tls.clientCa === undefined ? () => undefined : fromVerifiedTls();
  const routes = dispatcher(answers, `https://localhost:${port.port}`, problemOfStatus);
  const handle = bankHost(routes, certificate);
  return [
    {
      host: { ...port, tls: shown.tls, handle, broken: brokenBankRequest },
      beside: (listener) => startTlsRenewal(listener, shown),
    },
  ];
}
