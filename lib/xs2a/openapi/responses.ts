import type { AnswerHeaders, Answers } from "../answers";
import { problemSent, refusalSent } from "../refusal-forms";
import { type Refusals, together } from "../refusals";
import { headersOfEveryAnswer } from "./every-call";
import { jsonSchemaOf, type Named } from "./json-schema";
import type { Header, JsonSchema, Reference, Response } from "./open-api";

const everyAnswers = Object.fromEntries(
  Object.keys(headersOfEveryAnswer).map((name): [string, Reference] => {
    return [name, { $ref: `#/components/headers/${name}` }];
  }),
);

/** What a granted call is answered with. */
export function granted({ description, headers, body }: Answers, named: Named): Response {
  const content = body && {
    "application/json": { schema: jsonSchemaOf(body, "output", named) },
  };
  return {
    description,
    headers: { ...everyAnswers, ...described(headers) },
    ...(content !== undefined && { content }),
  };
}

/** What a call can be refused with: each status with its codes. */
export function refused(
  refusals: readonly Refusals[],
  named: Named,
  headers: Answers["headersOfRefusals"] = {},
): Readonly<Record<string, Response>> {
  const forms = [refusalSent, problemSent].map((form) => jsonSchemaOf(form, "output", named));
  const [refusal = {}, problem = {}] = forms;
  const responses = together(...refusals).map(([status, codes]): [string, Response] => {
    const response = {
      description: `${meaningOf[status] ?? "Refused"}: ${codes.join(", ")}.`,
      headers: { ...everyAnswers, ...headersOf[status], ...described(headers[Number(status)]) },
      content: {
        "application/json": { schema: { ...refusal, properties: entriesWith(codes) } },
        "application/problem+json": { schema: { ...problem, properties: { code: oneOf(codes) } } },
      },
    };
    return [status, response];
  });
  return Object.fromEntries(responses);
}

function described(headers: AnswerHeaders = {}): Readonly<Record<string, Header>> {
  const each = Object.entries(headers).map(([name, header]): [string, Header] => {
    return [name, { ...header, schema: { type: "string" } }];
  });
  return Object.fromEntries(each);
}

const meaningOf: Readonly<Record<string, string>> = {
  400: "The call is not in order",
  401: "What was presented does not open this",
  403: "Not for this TPP",
  404: "Not there",
  405: "Not offered",
  406: "No answer in the form that was asked for",
  409: "Not in this state",
  413: "Too much",
  415: "Not JSON",
  429: "Too often",
  500: "A fault of the bank's own",
  503: "Not now",
};

const sometimes = (description: string): Header => ({
  description,
  required: false,
  schema: { type: "string" },
});

const headersOf: Readonly<Record<string, Readonly<Record<string, Header>>>> = {
  401: { "WWW-Authenticate": sometimes("With a code of the token (RFC 6750).") },
  405: {
    Allow: {
      description: "The methods that can be granted here (RFC 9110 15.5.6).",
      required: true,
      schema: { type: "string" },
    },
  },
  429: {
    "Retry-After": sometimes("Seconds until there is one more call."),
    "RateLimit-Limit": sometimes("How many there are, where calls are counted in a window."),
    "RateLimit-Remaining": sometimes("How many of them are left."),
    "RateLimit-Reset": sometimes("Seconds until there is one more."),
  },
  503: { "Retry-After": sometimes("Seconds after which to try again.") },
};

function entriesWith(codes: readonly string[]): Readonly<Record<string, JsonSchema>> {
  const entry = { type: "object", properties: { code: oneOf(codes) } };
  return { tppMessages: { type: "array", items: entry } };
}

function oneOf(codes: readonly string[]): JsonSchema {
  return { type: "string", enum: codes };
}
