import { BankApiProblem, problemAnswer, problemTypeOf } from "@/lib/bank-api/problems";
import { log } from "@/lib/log";
import { rawAnswer } from "./fault-answer";
import { dropBrowserHeaders, dropOurHeaders, guardResponse, headerFault, setHeader } from "./http";
import { type ClientCertificate, type Handler, send } from "./tpp-host";

/** The listener that the bank's own systems call: whatever happens, the answer is JSON, and never kept by anybody. */
export function bankHost(handle: Handler, clientCertificate: ClientCertificate): Handler {
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

export function problemOfStatus(status: number) {
  return problemOf(status, said.get(status) ?? "an internal error occurred");
}

function problemOf(status: number, detail: string) {
  return problemAnswer(new BankApiProblem(problemTypeOf(status), detail));
}

/** On a connection whose bytes never became a request. */
export function brokenBankRequest(status: 400 | 408 | 431): string {
  const problem = problemOfStatus(status);
  const length = { "content-length": String(Buffer.byteLength(problem.body)) };
  return rawAnswer({ ...problem, headers: { ...problem.headers, ...length } });
}
