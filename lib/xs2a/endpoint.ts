import { type Rejection, reject } from "@/lib/domain/errors";
import type { CompleteEndpoint, Declaration, Endpoint, Runnable, Xs2aPorts } from "./declaration";
import { type HttpAnswer, type HttpRequest, responseOf } from "./http";
import { runPipeline, runRefusal } from "./pipeline";
import { noBody, noPath, noQuery, plainHeaders } from "./wire/common";

type Declared = { readonly declaration: Declaration };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];

type Segments = Readonly<Record<string, unknown>>;

/** What Next calls: the request, and the values of the folders in brackets; undefined where there are none. */
type Handler = ((
  request: Request,
  context: { readonly params: Promise<Segments | undefined> },
) => Promise<Response>) & {
  /** The same for a listener that routes requests itself. */
  readonly answer: (request: HttpRequest, segments: Segments) => Promise<HttpAnswer>;
  /** Of what is offered. */
  readonly declaration: Declaration | undefined;
};

export type Handlers = Readonly<Record<Method, Handler>>;

type Offered = Partial<Readonly<Record<"GET" | "POST" | "DELETE", Runnable & Declared>>>;

/** Says whether there is anything at a path of this form, which is asked before whether the method is offered there. */
type PathRule = (segments: Segments, ports: Xs2aPorts, method?: Method) => Rejection | undefined;

const everyPath: PathRule = () => undefined;

/**
 * The methods of one path. Those not offered are a 405 in the standard's form, never a framework's answer.
 * Whatever is 405 here names the same methods in `Allow`: those that can be granted (RFC 9110 15.5.6).
 */
export function resource(offered: Offered, unknown: PathRule = everyPath): Handlers {
  const granting = Object.entries(offered).filter(
    ([, { declaration }]) => declaration.reply.answers,
  );
  const allow = granting.map(([method]) => method).join(", ");
  const notOffered: Runnable = (request, _, ports) => {
    const text = `${request.method} is not offered here; offered: ${allow}`;
    return runRefusal(reject("SERVICE_INVALID", text), request, ports);
  };
  const endpoints: Partial<Record<Method, Runnable>> = offered;
  const naming =
    (run: Runnable): Runnable =>
    async (...asked) => {
      const answer = await run(...asked);
      return answer.status === 405 ? { ...answer, headers: { ...answer.headers, allow } } : answer;
    };
  return handlers((method) => naming(endpoints[method] ?? notOffered), unknown, offered);
}

/** Any path that is not there: 404 in the standard's form. */
export function unknownPath(unknown: PathRule = everyPath): Handlers {
  const notThere: Runnable = (request, _, ports) => {
    const text = "there is nothing at this address";
    return runRefusal(reject("RESOURCE_UNKNOWN", text), request, ports);
  };
  return handlers(() => notThere, unknown);
}

/** The handlers of what is offered carry its declaration. */
function handlers(
  of: (method: Method) => Runnable,
  unknown: PathRule,
  offered: Partial<Readonly<Record<Method, Declared>>> = {},
): Handlers {
  const entries = METHODS.map((method) => {
    const declaration = offered[method]?.declaration;
    const rule: PathRule = (segments, ports) => unknown(segments, ports, method);
    return [method, Object.assign(handling(of(method), rule), { declaration })];
  });
  return Object.fromEntries(entries) as Handlers;
}

function handling(run: Runnable, unknown: PathRule) {
  const answer: Handler["answer"] = async (request, segments) => {
    const ports = (await compositionRoot()).services();
    const refusal = unknown(segments, ports);
    return refusal === undefined
      ? run(request, segments, ports)
      : runRefusal(refusal, request, ports);
  };
  const handler = async (...[request, { params }]: Parameters<Handler>) =>
    responseOf(await answer(request, (await params) ?? {}));
  return Object.assign(handler, { answer });
}

let loading: Promise<{ readonly services: () => Xs2aPorts }> | undefined;

/** Loaded at the first request: a route file says what it offers, and imports no adapter that it is offered with. */
function compositionRoot() {
  loading ??= import("@/lib/services");
  return loading;
}

/** Declares an endpoint; the types of its parts follow from each other. */
export function endpoint<Headers, Path, Query, Body, Grant, Result>(
  given: Endpoint<Headers, Path, Query, Body, Grant, Result>,
): Runnable & Declared {
  const complete = { ...leftOut, ...given };
  const declared = complete as CompleteEndpoint<Headers, Path, Query, Body, Grant, Result>;
  const run: Runnable = (request, segments, ports) =>
    runPipeline(declared, request, segments, ports);
  return Object.assign(run, { declaration: declared });
}

const leftOut = {
  headers: plainHeaders,
  path: noPath,
  query: noQuery,
  body: noBody,
  refuses: {},
} as const;
