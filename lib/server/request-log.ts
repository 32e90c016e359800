import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "@/lib/config";
import { requestLog } from "@/lib/log";
import { REQUEST, type RequestLine, serviceOf } from "./request-line";
import type { Handler } from "./tpp-host";

/** Unless it is said, not in a sandbox: its screen is for the person who tries it. */
export function logsRequests({ REQUEST_LOG, SANDBOX }: Pick<Settings, "REQUEST_LOG" | "SANDBOX">) {
  return REQUEST_LOG ?? !SANDBOX;
}

/** Writes a line to the log for each request, when its answer is out or nobody waits for it any more. */
export function loggingRequests(handle: Handler): Handler {
  return (request, response) => {
    const since = performance.now();
    // What is no endpoint gets another path on its way.
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
    // A fault of ours is one, too, where it ended the connection in the middle of an answer.
    ...((response.writableFinished || statusCode >= 500) && { status: statusCode }),
    tookMs: Math.round((performance.now() - since) * 1_000) / 1_000,
    ...(typeof requestId === "string" && { requestId }),
  };
}
