import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "@/lib/config";
import { isAmong } from "@/lib/ip-address";
import { requestLog } from "@/lib/log";
import { fromProxy, fromTls } from "./client-certificate";
import { dispatcher, type RouteFiles } from "./dispatch";
import { brokenTppRequest } from "./fault-answer";
import { runHost } from "./host-process";
import { portsOf } from "./hosts";
import { startEventKeeping, startExecution, startSweep } from "./jobs";
import { startRecord } from "./start-record";
import { startTlsRenewal, tlsOf } from "./tls";
import { type Handler, tppHost } from "./tpp-host";

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
      const handle = logsRequests(settings) ? loggingRequests(endpoints) : endpoints;
      const { tpp } = portsOf(settings);
      const host = { ...tpp, tls, callers, handle, broken: brokenTppRequest };
      return [
        {
          host,
          ...(renewedTls && { beside: (listener) => startTlsRenewal(listener, renewedTls) }),
        },
      ];
    },
  });
}

/** Not in a sandbox by default, whose screen is for the person who tries it. */
export function logsRequests({ REQUEST_LOG, SANDBOX }: Pick<Settings, "REQUEST_LOG" | "SANDBOX">) {
  return REQUEST_LOG ?? !SANDBOX;
}

/** Logs a line for each request, when its answer is sent or its connection has ended. */
export function loggingRequests(handle: Handler): Handler {
  return (request, response) => {
    const since = performance.now();
    // Read before the TPP host replaces the path of what is no endpoint.
    const { method, url } = request;
    response.once("close", () =>
      requestLog.info(lineOf({ method, url }, response, since), REQUEST),
    );
    return handle(request, response);
  };
}

function lineOf(
  { method = "GET", url = "/" }: Pick<IncomingMessage, "method" | "url">,
  response: ServerResponse,
  since: number,
): RequestLine {
  const { statusCode } = response;
  const requestId = response.getHeader("x-request-id");
  return {
    service: serviceOf(url),
    method,
    // Also of a 500 that ended the connection in the middle of an answer.
    ...((response.writableFinished || statusCode >= 500) && { status: statusCode }),
    tookMs: Math.round((performance.now() - since) * 1_000) / 1_000,
    ...(typeof requestId === "string" && { requestId }),
  };
}

/** The message of a line of the log that is about a request of the TPP host. */
export const REQUEST = "request";

/** In what capacity a TPP calls; statistics are published by it (RTS art. 32(4)). */
export const services = ["aisp", "pisp", "cbpii"] as const;
export type Service = (typeof services)[number];

/** No personal data: the X-Request-ID leads to what the bank has kept of the request. */
export type RequestLine = {
  /** Missing for the endpoints of OAuth, and for what there is none for. */
  readonly service?: Service | undefined;
  readonly method: string;
  /** Missing when the connection ended before the answer was out, by the TPP as a rule. */
  readonly status?: number | undefined;
  /** Milliseconds from the request's headers to the last byte of its answer, or to the end of its connection. */
  readonly tookMs: number;
  readonly requestId?: string | undefined;
};

const SERVICE = /^\/open-banking\/[^/]+\/(?<service>[a-z]+)\//;

/** Of the path as it was sent. */
function serviceOf(path: string): Service | undefined {
  const named = SERVICE.exec(path)?.groups?.["service"];
  return services.find((service) => service === named);
}
