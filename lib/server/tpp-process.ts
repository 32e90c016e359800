import { BankApiProblem, problemAnswer, problemTypeOf } from "@/lib/bank-api/problems";
import { config, type Settings } from "@/lib/config";
import { tppOfClientCert } from "@/lib/eidas/client-certificate";
import { isAmong } from "@/lib/ip-address";
import { log } from "@/lib/log";
import { bankProfile } from "@/lib/profile/in-force";
import { services } from "@/lib/services";
import { fromProxy, fromTls, fromVerifiedTls } from "./client-certificate";
import { type Answers, dispatcher, type RouteFiles } from "./dispatch";
import { brokenTppRequest, rawAnswer } from "./fault-answer";
import { type OpenedHost, runHost } from "./host-process";
import { metricsPortOf, portsOf } from "./hosts";
import { dropBrowserHeaders, dropOurHeaders, guardResponse, headerFault, setHeader } from "./http";
import { startEventKeeping, startExecution, startSweep, startWebhooks } from "./jobs";
import { requestCounts, startRequestCounts } from "./request-counts";
import { logRequest, logsRequests, measureRequest, observingRequests } from "./requests-seen";
import { startRecord } from "./start-record";
import { bankApiTlsOf, startTlsRenewal, tlsOf } from "./tls";
import { type ClientCertificate, type Handler, send, tppHost } from "./tpp-host";
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

/** The listener that the bank's own systems call: whatever happens, the answer is JSON, and never kept by anybody. */
function bankHost(handle: Handler, clientCertificate: ClientCertificate): Handler {
  return async (request, response) => {
    const fault = headerFault(request);
    if (fault !== undefined) return send(response, problemOf(400, fault));
    const certificate = clientCertificate(request);
    dropOurHeaders(request);
    dropBrowserHeaders(request);
    if (certificate !== undefined) setHeader(request, "client-cert", certificate);
    guardResponse(response, (written) => {
      written.setHeader("cache-control", "no-store");
      written.setHeader("x-content-type-options", "nosniff");
      return undefined;
    });
    try {
      await handle(request, response);
    } catch (error) {
      log.error({ err: error }, "a request of the bank API failed");
      if (response.headersSent) response.destroy();
      else send(response, problemOfStatus(500));
    }
  };
}

const said = new Map([
  [400, "the request cannot be read"],
  [404, "there is nothing at this address"],
  [405, "the method is not offered here"],
  [408, "the request took too long"],
  [431, "the headers are too large"],
]);

function problemOfStatus(status: number) {
  return problemOf(status, said.get(status) ?? "an internal error occurred");
}

function problemOf(status: number, detail: string) {
  return problemAnswer(new BankApiProblem(problemTypeOf(status), detail));
}

/** On a connection whose bytes never became a request. */
function brokenBankRequest(status: 400 | 408 | 431): string {
  const problem = problemOfStatus(status);
  const length = { "content-length": String(Buffer.byteLength(problem.body)) };
  return rawAnswer({ ...problem, headers: { ...problem.headers, ...length } });
}
