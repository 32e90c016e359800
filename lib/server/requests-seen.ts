import type { TppClass } from "@/lib/accepted-tpp";
import type { Settings } from "@/lib/config";
import type { MessageCode } from "@/lib/domain/errors";
import type { Area, Outcome } from "@/lib/domain/interface-figures";
import { requestLog } from "@/lib/log";
import { requestSeconds } from "@/lib/metrics";
import { endpointOf, tppClassOf } from "./dispatch";
import { refusalCodeOf } from "./refusal-code";
import type { Handler } from "./tpp-host";

/** A request, when its answer is sent or its connection has ended. */
export type SeenRequest = {
  readonly method: string;
  /** As it was sent, before the host replaces that of what is no endpoint. */
  readonly url: string;
  /** Missing when the connection ended before the answer was out, by the caller as a rule. */
  readonly status?: number | undefined;
  /** Milliseconds from the request's headers to the last byte of its answer, or to the end of its connection. */
  readonly tookMs: number;
  readonly requestId?: string | undefined;
  /** Of the TPP host: the folder of the route file, in which ids are names in brackets. */
  readonly endpoint?: string | undefined;
  readonly tpp?: TppClass;
  /** What a TPP was told first, where its request was refused. */
  readonly code?: MessageCode | undefined;
};

export function observingRequests(
  handle: Handler,
  observers: readonly ((seen: SeenRequest) => void)[],
): Handler {
  if (observers.length === 0) return handle;
  return (request, response) => {
    const since = performance.now();
    const { method = "GET", url = "/" } = request;
    response.once("close", () => {
      const { statusCode } = response;
      const requestId = response.getHeader("x-request-id");
      const seen = {
        ...{ method, url },
        // Also of a 500 that ended the connection in the middle of an answer.
        ...((response.writableFinished || statusCode >= 500) && { status: statusCode }),
        tookMs: Math.round((performance.now() - since) * 1_000) / 1_000,
        ...(typeof requestId === "string" && { requestId }),
        endpoint: endpointOf(response),
        tpp: tppClassOf(response),
        code: refusalCodeOf(response),
      };
      for (const observe of observers) observe(seen);
    });
    return handle(request, response);
  };
}

/** Not in a sandbox by default, whose screen is for the person who tries it. */
export function logsRequests({ REQUEST_LOG, SANDBOX }: Pick<Settings, "REQUEST_LOG" | "SANDBOX">) {
  return REQUEST_LOG ?? !SANDBOX;
}

export function logRequest({ url, endpoint: _, tpp: __, code: ___, ...seen }: SeenRequest): void {
  const line: RequestLine = { service: serviceOf(url), ...seen };
  requestLog.info(line, REQUEST);
}

/** The message of a line of the log that is about a request of the TPP host. */
export const REQUEST = "request";

/** In what capacity a TPP calls; statistics are published by it (RTS art. 32(4)). */
export const services = ["aisp", "pisp", "cbpii"] as const;
export type Service = (typeof services)[number];

/** No personal data: the X-Request-ID leads to what the bank has kept of the request. */
export type RequestLine = Omit<SeenRequest, "url" | "endpoint" | "tpp" | "code"> & {
  /** Missing for the endpoints of OAuth, and for what there is none for. */
  readonly service?: Service | undefined;
};

const SERVICE = /^\/open-banking\/[^/]+\/(?<service>[a-z]+)\//;

/** Of the path as it was sent. */
function serviceOf(path: string): Service | undefined {
  const named = SERVICE.exec(path)?.groups?.["service"];
  return services.find((service) => service === named);
}

/** For Prometheus. Labels have few values: no path as it was sent is one. */
export function measureRequest(seen: SeenRequest): void {
  const { method, status, tookMs, endpoint = folderOf(seen.url), tpp = "none" } = seen;
  const labels = {
    area: areaOf(seen) ?? "other",
    ...{ endpoint, tpp },
    method: METHODS.has(method) ? method : "other",
  };
  requestSeconds.observe({ ...labels, status: String(status ?? "none") }, tookMs / 1_000);
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Of the browser host, whose routes only its framework knows, and of the staff console. */
const FOLDERS = new Set([
  ...[
    "auth",
    "authorise",
    "identity",
    "language",
    "passkeys",
    "permissions",
    "sign-in",
    "sign-out",
  ],
  ...["theme", "unavailable", "docs", "llms.txt", "sandbox", "staff", "statistics", "_next"],
]);

function folderOf(url: string): string {
  const [, first = "none"] = url.split(/[/?]/, 2);
  return FOLDERS.has(first) ? `/${first}` : "other";
}

const OAUTH = /^\/(auth|token|jwks|\.well-known\/oauth-authorization-server)([/?]|$)/;
const PAGES = /^\/(authorise|sign-in|sign-out|permissions|passkeys|identity|language)([/?]|$)/;

/** Of either host. Undefined for what no figure is published of: documents, files, the sandbox. */
export function areaOf({ url }: Pick<SeenRequest, "url">): Area | undefined {
  const service = serviceOf(url);
  if (service !== undefined) return service;
  if (OAUTH.test(url)) return "oauth";
  return PAGES.test(url) ? "pages" : undefined;
}

/** A caller that has waited for so long was left without an answer; one that goes away before was not. */
const UNANSWERED_MS = 6_000;

/** Undefined for a caller that went away by itself. */
export function outcomeOf({
  status,
  tookMs,
}: Pick<SeenRequest, "status" | "tookMs">): Outcome | undefined {
  if (status === undefined) return tookMs >= UNANSWERED_MS ? "unanswered" : undefined;
  if (status >= 500) return "failed";
  return status < 400 ? "granted" : "refused";
}
