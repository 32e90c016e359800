import { Rejection, reject } from "@/lib/domain/rejection";
import { log } from "@/lib/log";
import type { Answer } from "./endpoint";
import type { Exchange } from "./exchange";
import { problemDocument, tppMessages } from "./tpp-messages";

/** The one way out: what does not fit its schema does not leave, it is a fault of ours. */
export function reply({ status, headers, body }: Answer, exchange: Exchange): Response {
  const checked = body === undefined ? undefined : body.schema.parse(body.value);
  return write(status, checked, exchange, { "content-type": "application/json", ...headers });
}

/** A Rejection tells its reasons; anything else goes to the log and tells nothing. */
export function replyWithTppMessages(error: unknown, exchange: Exchange): Response {
  const rejection = error instanceof Rejection ? error : ourFault(error, exchange);
  const headers = { ...rejection.headers, ...challenge(rejection) };
  if (exchange.prefersProblem) {
    const type = { "content-type": "application/problem+json" };
    return write(rejection.status, problemDocument(rejection), exchange, { ...headers, ...type });
  }
  const type = { "content-type": "application/json" };
  return write(rejection.status, tppMessages(rejection.faults), exchange, { ...headers, ...type });
}

function ourFault(error: unknown, { requestId, interactionId }: Exchange): Rejection {
  log.error({ err: error, requestId, interactionId }, "a request failed by a fault of ours");
  return reject("INTERNAL_SERVER_ERROR", "the request failed by a fault of ours");
}

/** RFC 6750: a refused token is answered with a challenge. */
function challenge({ faults: [first] }: Rejection): Readonly<Record<string, string>> {
  const aboutToken = first.code.startsWith("TOKEN_");
  return aboutToken ? { "www-authenticate": 'Bearer error="invalid_token"' } : {};
}

function write(
  status: number,
  body: unknown,
  { requestId, interactionId, bodyless }: Exchange,
  headers: Readonly<Record<string, string>>,
): Response {
  const withBody = body !== undefined && !bodyless;
  const answer = new Response(withBody ? JSON.stringify(body) : null, { status, headers });
  answer.headers.set("x-request-id", requestId);
  answer.headers.set("x-fapi-interaction-id", interactionId);
  answer.headers.set("cache-control", "no-store");
  if (body === undefined) answer.headers.delete("content-type");
  return answer;
}
