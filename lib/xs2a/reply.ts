import type * as z from "zod";
import { outageIn, Rejection, reject, retryAfter } from "@/lib/domain/errors";
import type { StoredAnswer } from "@/lib/domain/payments";
import { log } from "@/lib/log";
import type { Answer, BodyToWrite, Xs2aPorts } from "./declaration";
import type { Exchange, HttpAnswer } from "./http";
import { problemDocument, tppMessages } from "./refusals";

/** Writes every answer. One that was stored is sent as it was. */
export function reply(answer: Answer | StoredAnswer, exchange: Exchange): HttpAnswer {
  return writeAnswer(isSerialised(answer) ? answer : serialise(answer), exchange);
}

/** How many answers of a schema were sent since the last one was checked. */
const since = new WeakMap<z.ZodType, number>();

/**
 * An answer that does not match its schema is not sent: it is an internal error. The first answer of each
 * schema is checked and then one in so many, since a check takes as long as writing; after a mismatch every
 * one until one matches.
 */
export function serialise(answer: AnswerWithBody): StoredAnswer;
export function serialise(answer: Answer): Serialised;
export function serialise({ status, headers, body }: Answer): Serialised {
  if (body === undefined) return { status, headers: { ...headers } };
  checkAgainstSchema(body);
  const all = { "content-type": "application/json", ...headers };
  return { status, headers: all, body: JSON.stringify(body.value) };
}

/** A Rejection is sent with its reasons; any other error is logged and sent without its cause. */
export function replyWithTppMessages(
  error: unknown,
  exchange: Exchange,
  ports: Pick<Xs2aPorts, "links">,
): HttpAnswer {
  const rejection = error instanceof Rejection ? error : serverFault(error, exchange);
  return writeAnswer(serialiseRejection(rejection, exchange, ports), exchange);
}

export function serialiseRejection(
  rejection: Rejection,
  { prefersProblem }: Pick<Exchange, "prefersProblem">,
  { links }: Pick<Xs2aPorts, "links">,
): StoredAnswer {
  const { status, faults } = rejection;
  const headers = { ...rejection.headers, ...challenge(rejection) };
  if (prefersProblem) {
    const type = { "content-type": "application/problem+json" };
    const body = JSON.stringify(problemDocument(rejection, links.errors));
    return { status, headers: { ...headers, ...type }, body };
  }
  const type = { "content-type": "application/json" };
  const body = JSON.stringify(tppMessages(faults, links.errors));
  return { status, headers: { ...headers, ...type }, body };
}

/** Of the answers of one form, one in so many is held against it before it leaves, the first among them. */
const CHECKED_ONE_IN = 50;

function checkAgainstSchema({ schema, value }: BodyToWrite): void {
  const unseen = since.get(schema) ?? 0;
  if (unseen === 0) schema.parse(value);
  since.set(schema, (unseen + 1) % CHECKED_ONE_IN);
}

export type AnswerWithBody = Answer & { readonly body: BodyToWrite };

/** A serialised answer; without a body it has no media type. */
type Serialised = Omit<StoredAnswer, "body"> & Pick<HttpAnswer, "body">;

function isSerialised(answer: Answer | StoredAnswer): answer is StoredAnswer {
  return typeof answer.body === "string";
}

function serverFault(error: unknown, { requestId, interactionId }: Exchange): Rejection {
  const reason = outageIn(error);
  if (reason !== undefined) {
    log.warn({ requestId, interactionId, reason }, "a request was refused by an outage");
    return reject("SERVICE_UNAVAILABLE", "the bank cannot answer at the moment, try again", {
      headers: retryAfter,
    });
  }
  log.error({ err: error, requestId, interactionId }, "a request failed by a fault of ours");
  return reject("INTERNAL_SERVER_ERROR", "the request failed by a fault of ours");
}

/** RFC 6750: a refused token is answered with a challenge. */
function challenge({ faults: [first] }: Rejection): Readonly<Record<string, string>> {
  const aboutToken = first.code.startsWith("TOKEN_");
  return aboutToken ? { "www-authenticate": 'Bearer error="invalid_token"' } : {};
}

function writeAnswer(
  { status, headers, body }: Serialised,
  { requestId, interactionId, bodyless }: Exchange,
): HttpAnswer {
  const always = {
    "x-request-id": requestId,
    "x-fapi-interaction-id": interactionId,
    "cache-control": "no-store",
  };
  // V8 takes twenty times as long for a literal that goes on after a spread.
  const all = Object.assign({}, headers, always);
  return body === undefined || bodyless ? { status, headers: all } : { status, headers: all, body };
}
