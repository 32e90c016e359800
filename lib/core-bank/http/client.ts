import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import CircuitBreaker from "opossum";
import { buildConnector, Pool } from "undici";
import { z } from "zod";
import { UnavailableError } from "@/lib/domain/errors";
import { jsonIn } from "@/lib/json";
import { coreBankMalformedAnswers, coreBankSeconds } from "@/lib/metrics";
import { outageRecorder } from "@/lib/outage";
import { inSpan, traceparent } from "@/lib/tracing";
import type { AccessToken } from "./access-token";
import {
  type AnswerOf,
  compileReaders,
  type OperationName,
  operations,
  PROBLEM_PREFIX,
  type ProblemType,
  problem,
  problemTypes,
} from "./contract";

export type ClientSettings = {
  /** An origin, and a path below which the operations are. */
  readonly url: string;
  /** Asked for each connection. PEM texts: the client's certificate and key, and the authority of the core bank's. */
  readonly tls: () => { readonly cert?: string; readonly key?: string; readonly ca?: string };
  readonly accessToken?: AccessToken | undefined;
  /** Connections of this process. */
  readonly connections: number;
  /** Calls under way or waiting for a connection; one more is refused at once. */
  readonly callsMax: number;
  /** Sent with each call besides those of the contract. */
  readonly headers?: () => Promise<Headers>;
  readonly onFault: (fault: CoreBankFault) => void;
};

/** For the log: an outage, or an answer that breaks the contract, which is an incident. */
export type CoreBankFault = {
  readonly operation: OperationName;
  readonly kind: "outage" | "malformed-answer";
  readonly detail: string;
};

/** What a request of a TPP or a PSU hands on to the core bank. */
export type CallContext = { readonly requestId?: string | undefined };

type Call = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
};

type Answered<Name extends OperationName> =
  | { readonly answer: AnswerOf<Name> }
  /** One of those that the operation names: what was asked about is unknown, a conflict … */
  | { readonly problem: (typeof operations)[Name]["problems"][number] };

export type CoreBankClient = {
  /** Throws an UnavailableError when no answer comes in time, or none that the contract allows. */
  readonly call: <Name extends OperationName>(
    name: Name,
    call: Call,
    context?: CallContext,
  ) => Promise<Answered<Name>>;
  /** To be thrown when an answer contradicts what was asked; logged as an incident. */
  readonly malformed: (name: OperationName, detail: string) => UnavailableError;
  /** False while calls are refused without an attempt. */
  readonly isReachable: () => boolean;
  readonly close: () => Promise<void>;
};

const CONNECT_MS_MAX = 1_000;
const ANSWER_BYTES_MAX = 16 * 1_024 * 1_024;
/** Of an operation that may be sent again without asking first. */
const ATTEMPTS_MAX = 2;
const RETRY_PAUSE_MS = 50;

/**
 * While it is open, calls are refused without an attempt, and one is let through each half second, or once the last of
 * them was answered or its deadline is over: the core bank is used again within a second of its return, and after one
 * that hangs within two to five.
 */
const breakerOptions = {
  timeout: false,
  errorThresholdPercentage: 50,
  volumeThreshold: 5,
  rollingCountTimeout: 5_000,
  rollingCountBuckets: 5,
  resetTimeout: 500,
} as const;

/** No answer, or one that says that the core bank cannot answer now. */
class OutageError extends Error {}
/** An answer that the contract does not allow: nothing of it is used, and nothing is sent again for it. */
class MalformedAnswerError extends Error {}

/** Calls a core bank by the contract: a deadline for each operation, bounded connections and calls, no endless retries. */
export function coreBankClient(settings: ClientSettings): CoreBankClient {
  const { connections, callsMax } = settings;
  const { origin, pathname } = new URL(settings.url);
  const pool = new Pool(origin, {
    ...{ connections, pipelining: 1, maxResponseSize: ANSWER_BYTES_MAX },
    connect: (options, connected) =>
      buildConnector({ ...settings.tls(), timeout: CONNECT_MS_MAX })(options, connected),
  });
  const prefix = pathname.replace(/\/$/, "");
  const send = (asked: Asked) => attempt(pool, settings.accessToken, asked);
  const breaker = new CircuitBreaker(send, {
    ...breakerOptions,
    // A malformed answer is an answer: whether the next one is better is seen by asking.
    errorFilter: (error) => error instanceof MalformedAnswerError,
  });
  // In Prometheus nothing has increased when a series appears with 1.
  for (const operation of Object.keys(operations)) coreBankMalformedAnswers.inc({ operation }, 0);
  const onFault = (fault: CoreBankFault) => {
    const { operation, kind } = fault;
    if (kind === "malformed-answer") coreBankMalformedAnswers.inc({ operation });
    settings.onFault(fault);
  };
  let underWay = 0;

  async function withRetries(request: Encoded, context: CallContext) {
    const { name } = request;
    const deadline = deadlineIn(operations[name].deadlineMs);
    const headers = { ...headersOf(context), ...(await settings.headers?.()) };
    for (let nth = 1; ; nth += 1) {
      try {
        return await breaker.fire({ ...request, headers, deadline });
      } catch (error) {
        const isLast = !operations[name].safe || nth === ATTEMPTS_MAX || breaker.opened;
        if (isLast || !(error instanceof OutageError) || deadline.leftMs() <= RETRY_PAUSE_MS)
          throw error;
        await sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
      }
    }
  }

  return {
    call: async (name, call, context = {}) => {
      // What cannot be encoded is a fault of ours, and says nothing about the core bank.
      const request = { name, target: prefix + targetOf(name, call), body: bodyOf(name, call) };
      const noteOutage = outageRecorderOf(name);
      if (underWay === callsMax) {
        noteOutage();
        throw new UnavailableError("too many calls of the core bank are under way");
      }
      underWay += 1;
      const time = coreBankSeconds.startTimer({ operation: name });
      let outcome = "answer";
      try {
        // The answer was read by the schema of this very operation.
        const answered = (await inSpan(`core bank ${name}`, {}, () =>
          withRetries(request, context),
        )) as Answered<typeof name>;
        if ("problem" in answered) outcome = answered.problem;
        return answered;
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        const kind = error instanceof MalformedAnswerError ? "malformed-answer" : "outage";
        outcome = kind;
        onFault({ operation: name, kind, detail });
        noteOutage();
        throw new UnavailableError(`the core bank did not answer ${name} (${kind})`, {
          cause: error,
        });
      } finally {
        underWay -= 1;
        time({ outcome });
      }
    },
    malformed: (operation, detail) => {
      onFault({ operation, kind: "malformed-answer", detail });
      outageRecorderOf(operation)();
      return new UnavailableError(`the core bank's answer to ${operation} is malformed`);
    },
    isReachable: () => !breaker.opened,
    close: async () => {
      breaker.shutdown();
      await pool.destroy();
    },
  };
}

/** A payment that is not submitted now, or not asked about before, waits in the outbox, and its PSU goes on. */
function outageRecorderOf(name: OperationName): () => void {
  const waits = name === "submitPayment" || name === "getPayment";
  return waits ? () => undefined : outageRecorder();
}

type Headers = Readonly<Record<string, string>>;

/** W3C Trace Context: of the request that is traced, and otherwise a trace of this call, which is not sampled. */
function headersOf({ requestId }: CallContext): Headers {
  const own = () => `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-00`;
  const id = requestId !== undefined && { "x-request-id": requestId };
  return { traceparent: traceparent() ?? own(), ...id };
}

type Deadline = { readonly signal: AbortSignal; readonly leftMs: () => number };

function deadlineIn(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds;
  const leftMs = () => Math.max(0, Math.floor(end - performance.now()));
  return { signal: AbortSignal.timeout(milliseconds), leftMs };
}

type Encoded = {
  readonly name: OperationName;
  readonly target: string;
  readonly body: string | null;
};

type Asked = Encoded & { readonly headers: Headers; readonly deadline: Deadline };

async function attempt(
  pool: Pool,
  accessToken: AccessToken | undefined,
  { name, target, body: sent, headers, deadline }: Asked,
): Promise<Answered<OperationName>> {
  const { method } = operations[name];
  const { signal } = deadline;
  try {
    const token = await accessToken?.current(signal);
    const { statusCode, body } = await pool.request({
      ...{ method, signal, path: target },
      headers: {
        ...headers,
        accept: "application/json, application/problem+json",
        // Relative, so that clocks need not agree.
        "request-timeout-ms": String(deadline.leftMs()),
        ...(sent !== null && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: sent,
    });
    const text = await body.text();
    if (statusCode === 401 && token !== undefined) accessToken?.forget(token);
    return readAnswer(name, statusCode, text);
  } catch (error) {
    if (error instanceof OutageError || error instanceof MalformedAnswerError) throw error;
    throw new OutageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function bodyOf(name: OperationName, { body }: Call): string | null {
  const operation = operations[name];
  if (!("body" in operation)) return null;
  const schema: z.ZodType = operation.body;
  return JSON.stringify(z.encode(schema, body));
}

function targetOf(name: OperationName, { path = {}, query = {} }: Call): string {
  const filled = operations[name].path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = path[part];
    if (value === undefined) throw new Error(`${name} needs ${part}`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given)}`;
}

const readers = compileReaders(({ read, answer }) => read ?? answer);

/** Only what the contract allows comes back; nothing of the text is in an error, since it may name accounts. */
function readAnswer(name: OperationName, status: number, text: string): Answered<OperationName> {
  if (status === 401 || status === 429 || status >= 500) throw new OutageError(`HTTP ${status}`);
  const { problems } = operations[name];
  const value = jsonIn(text);
  if (status === 200) {
    const read = readers[name].safeParse(value);
    if (read.success) return { answer: read.data } as Answered<OperationName>;
    const [issue] = read.error.issues;
    throw new MalformedAnswerError(`HTTP 200, ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const read = problem.safeParse(value);
  if (!read.success)
    throw new MalformedAnswerError(`HTTP ${status} without a problem of the contract`);
  const said = read.data.type.slice(PROBLEM_PREFIX.length) as ProblemType;
  const known =
    (problems as readonly ProblemType[]).includes(said) && problemTypes[said] === status;
  if (!known) throw new MalformedAnswerError(`HTTP ${status} with the problem ${said}`);
  return { problem: said } as Answered<OperationName>;
}
