import type { StoredAnswer } from "@/lib/domain/payment/payment-store";
import { Rejection, reject } from "@/lib/domain/rejection";
import { log } from "@/lib/log";
import type { Answer } from "./endpoint";
import type { Exchange } from "./exchange";
import { problemDocument, tppMessages } from "./tpp-messages";

/** The one way out. An answer that has left the house before leaves it again as it was. */
export function reply(answer: Answer | StoredAnswer, exchange: Exchange): Response {
  return write(isWritten(answer) ? answer : written(answer), exchange);
}

/** What does not fit its schema does not leave: it is a fault of ours. */
export function written(answer: AnswerWithBody): StoredAnswer;
export function written(answer: Answer): Written;
export function written({ status, headers, body }: Answer): Written {
  if (body === undefined) return { status, headers: { ...headers } };
  const text = JSON.stringify(body.schema.parse(body.value));
  return { status, headers: { "content-type": "application/json", ...headers }, body: text };
}

/** A Rejection tells its reasons; anything else goes to the log and tells nothing. */
export function replyWithTppMessages(error: unknown, exchange: Exchange): Response {
  const rejection = error instanceof Rejection ? error : ourFault(error, exchange);
  return write(writtenRefusal(rejection, exchange), exchange);
}

export function writtenRefusal(
  rejection: Rejection,
  { prefersProblem }: Pick<Exchange, "prefersProblem">,
): StoredAnswer {
  const { status, faults } = rejection;
  const headers = { ...rejection.headers, ...challenge(rejection) };
  if (prefersProblem) {
    const type = { "content-type": "application/problem+json" };
    const body = JSON.stringify(problemDocument(rejection));
    return { status, headers: { ...headers, ...type }, body };
  }
  const type = { "content-type": "application/json" };
  return { status, headers: { ...headers, ...type }, body: JSON.stringify(tppMessages(faults)) };
}

export type AnswerWithBody = Answer & Required<Pick<Answer, "body">>;

/** An answer as text; one without a body has no media type either. */
type Written = Omit<StoredAnswer, "body"> & { readonly body?: string };

function isWritten(answer: Answer | StoredAnswer): answer is StoredAnswer {
  return typeof answer.body === "string";
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
  { status, headers, body }: Written,
  { requestId, interactionId, bodyless }: Exchange,
): Response {
  const answer = new Response(bodyless ? null : (body ?? null), { status, headers });
  answer.headers.set("x-request-id", requestId);
  answer.headers.set("x-fapi-interaction-id", interactionId);
  answer.headers.set("cache-control", "no-store");
  if (body === undefined) answer.headers.delete("content-type");
  return answer;
}
