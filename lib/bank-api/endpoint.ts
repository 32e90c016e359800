import type * as z from "zod";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { outageIn, Rejection } from "@/lib/domain/errors";
import type { EventReader } from "@/lib/domain/events";
import type { Ports } from "@/lib/domain/ports";
import type { Statistics } from "@/lib/domain/statistics";
import type { SeenTpps } from "@/lib/domain/tpp";
import type { TppBlocks } from "@/lib/domain/tpp-blocks";
import type { PsuId } from "@/lib/domain/values";
import { log } from "@/lib/log";
import type { HttpAnswer, HttpRequest } from "@/lib/xs2a/http";
import { parseWith } from "@/lib/xs2a/parse";
import { checkMediaTypes, readBody, readJson } from "@/lib/xs2a/read-request";
import type { Authenticate, BankClient } from "./authenticate";
import { BankApiProblem, type ProblemType, problemAnswer, problemTypeOf } from "./problems";
import type { Scope } from "./scopes";

/** What is done in the name of a client: events say who it was, and why. */
type ActingPorts = Pick<
  Ports,
  "authorisations" | "consents" | "fundsConsents" | "stopList" | "optOuts" | "events"
>;

export type BankApiPorts = Ports & {
  readonly authenticateBankClient: Authenticate;
  readonly actingAs: (acting: {
    readonly actor: string;
    readonly reason?: string | undefined;
  }) => ActingPorts;
  readonly eventReader: EventReader;
  readonly seenTpps: SeenTpps;
  readonly tppBlocks: Pick<TppBlocks, "request">;
  readonly statistics: Statistics;
};

type Call<Path, Query, Body> = {
  readonly client: BankClient;
  readonly now: Date;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
};

/** One method of one path; the description of the API is made from it as well. */
export type Operation<Path, Query, Body, Result> = {
  readonly operationId: string;
  readonly summary: string;
  readonly scope: Scope;
  /** Left out where there is nothing to read in them. */
  readonly path?: z.ZodType<Path>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Of whom the caller sees something: a look at a customer is an event. */
  readonly looksAt?: (call: Call<Path, Query, Body>) => PsuId | undefined;
  /** Besides what any call can be refused with. */
  readonly refuses?: readonly ProblemType[];
  readonly handle: (call: Call<Path, Query, Body>, ports: BankApiPorts) => Promise<Result>;
  readonly description: string;
  /** Reads what `handle` yields, leaves out what is not named, and writes it as JSON has it. */
  readonly answer: z.ZodType<unknown, Result>;
};

/** As the description reads it. */
export type Declaration = Omit<Operation<unknown, unknown, unknown, unknown>, "looksAt" | "handle">;

type Segments = Readonly<Record<string, unknown>>;
type Served = {
  readonly answer: (request: HttpRequest, segments: Segments) => Promise<HttpAnswer>;
  readonly declaration: Declaration;
};

/** Paths, ids in brackets, with the operations of their methods. */
export type Operations = Readonly<
  Record<string, Readonly<Partial<Record<"GET" | "POST", Served>>>>
>;

/** Declares an operation; the types of its parts follow from each other. */
export function operation<Result, Path = unknown, Query = unknown, Body = unknown>(
  declared: Operation<Path, Query, Body, Result>,
): Served {
  return {
    answer: async (request, segments) =>
      answerTo(declared, request, segments, (await compositionRoot()).services()),
    declaration: declared as Declaration,
  };
}

/** A call of one of the bank's systems, top to bottom. */
async function answerTo<Path, Query, Body, Result>(
  declared: Operation<Path, Query, Body, Result>,
  request: HttpRequest,
  segments: Segments,
  ports: BankApiPorts,
): Promise<HttpAnswer> {
  const { operationId, scope, looksAt, handle, answer } = declared;
  let actor: string | undefined;
  try {
    const client = await ports.authenticateBankClient(request.headers);
    actor = client.actor;
    if (!client.scopes.includes(scope)) {
      throw new BankApiProblem("insufficient-scope", `${operationId} needs the scope ${scope}`);
    }
    const asked = await readRequest(declared, request, segments, ports.profile);
    const call = { client, now: await ports.clock.now(), ...asked };
    const psuId = looksAt?.(call);
    if (psuId !== undefined) {
      await ports.events.record({
        ...{ kind: "customer-viewed", psuId, actor },
        detail: { what: operationId },
      });
    }
    const result = answer.parse(await handle(call, ports));
    const headers = { "content-type": "application/json" };
    return { status: 200, headers, body: JSON.stringify(result) };
  } catch (error) {
    const problem = problemOf(error, operationId);
    if (problem.type === "unauthenticated" || problem.type === "insufficient-scope") {
      log.warn(
        { operationId, actor, problem: problem.message },
        "a call of the bank API was refused",
      );
    }
    return problemAnswer(problem);
  }
}

async function readRequest<Path, Query, Body>(
  { path, query, body }: Pick<Operation<Path, Query, Body, unknown>, "path" | "query" | "body">,
  request: HttpRequest,
  segments: Segments,
  { request: limits }: AspspProfile,
) {
  const bytes = await readBody(request, limits.bodyBytesMax);
  checkMediaTypes(request.headers, bytes);
  const params = new URL(request.url).searchParams;
  const read = <Value>(
    part: "path" | "query" | "body",
    form: z.ZodType<Value> | undefined,
    sent: unknown,
  ) => (form === undefined ? (undefined as Value) : parseWith(part, form, sent));
  if (query === undefined && params.size > 0) {
    throw new BankApiProblem("malformed-request", "nothing is read from the query here");
  }
  if (body === undefined && bytes.byteLength > 0) {
    throw new BankApiProblem("malformed-request", "no body is read here");
  }
  return {
    path: read("path", path, segments),
    query: read("query", query, params),
    body: read("body", body, readJson(bytes, limits)),
  };
}

/** The one place that decides what leaves of a failure. */
function problemOf(error: unknown, operationId: string): BankApiProblem {
  if (error instanceof BankApiProblem) return error;
  if (error instanceof Rejection) {
    const [{ text }] = error.faults;
    const errors = error.faults.flatMap(({ path, text: detail }) =>
      path === undefined ? [] : [{ part: path, detail }],
    );
    return new BankApiProblem(problemTypeOf(error.status), text, errors);
  }
  const reason = outageIn(error);
  if (reason !== undefined) {
    log.warn({ operationId, reason }, "a call of the bank API was refused by an outage");
    return new BankApiProblem("unavailable", "try again");
  }
  log.error({ err: error, operationId }, "a call of the bank API failed by a fault of ours");
  return new BankApiProblem("internal-error", "the request failed by a fault of ours");
}

let loading: Promise<{ readonly services: () => BankApiPorts }> | undefined;

/** Loaded at the first request: the description of the API needs no adapter. */
function compositionRoot() {
  loading ??= import("@/lib/services");
  return loading;
}
