import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { z } from "zod";
import {
  type account,
  type money,
  type OperationName,
  operations,
  PROBLEM_PREFIX,
  type ProblemType,
  pageLimit,
  type paymentProgress,
  problem,
  problemTypes,
} from "@/lib/core-bank/http/contract";
import { progressRules, standingOrderRules } from "@/lib/core-bank/http/core-bank";
import { jsonIn } from "@/lib/json";

/**
 * The contract kit: whether an implementation keeps the contract, one line a rule. It calls it as Drawbridge does and
 * knows nothing of what is behind the URL.
 */
export type KitSettings = {
  readonly url: string;
  readonly tls: { readonly cert?: string; readonly key?: string; readonly ca?: string };
  readonly token?: string | undefined;
  /** At least one; two of them let it try that one customer does not see the other's accounts. */
  readonly customers: readonly [string, ...string[]];
  /** Whom the core bank has blocked in all channels. */
  readonly blockedCustomer?: string | undefined;
  /** Makes the core bank stop and start again; resolves when it may be called. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Whether payments may be submitted, of the smallest amount and between accounts of the customers. */
  readonly pays: boolean;
  /** As many as one account has at least. */
  readonly entries?: number | undefined;
  /** What the contract's deadlines are multiplied by: a test system may share its machine. */
  readonly patience?: number | undefined;
  /** Words of the rules that are checked. */
  readonly only?: string | undefined;
};

export type Finding =
  | { readonly result: "kept"; readonly came: string }
  | { readonly result: "broken"; readonly expected: string; readonly came: string }
  | { readonly result: "not checked"; readonly because: string };
export type CheckedRule = Finding & { readonly rule: string };

export type Account = z.input<typeof account>;
export type Money = z.input<typeof money>;
export type Progress = z.input<typeof paymentProgress>;
/** As it was sent: the kit compares texts. */
type AnswerOf<Name extends OperationName> = z.input<(typeof operations)[Name]["answer"]>;

/** Ends a rule: it is broken. */
export class Broken extends Error {
  constructor(
    readonly expected: string,
    readonly came: string,
  ) {
    super(`${expected}; ${came}`);
  }
}
/** Ends a rule: what it needs is missing. */
export class NotChecked extends Error {}

export const PARALLEL_SUBMISSIONS = 50;
const BUSY_TIMES_MAX = 5;
const BUSY_PAUSE_MS = 500;
export const PAGE = 10;
export const PAGE_MAX = pageLimit;
/** Of an account that has more entries than fit on the contract's largest page. */
export const PAGE_OF_MANY = 100;
/** Of the contract's largest size: a feed has so many at most, and a report unless --entries asks for more. */
export const PAGES_MAX = 400;
export const CLOCK_SECONDS_MAX = 30;
export const SETTLE_POLLS = 40;
export const SETTLE_POLL_MS = 250;
/** A test system's books may be some days behind its clock. */
export const DAYS_OF_PAYMENTS = 10;
export const OUT_OF_REACH = "99999999999";

/** As Drawbridge reads it, of any operation. */
type ReadAnswer = z.output<(typeof operations)[OperationName]["answer"]>;

type Answer<Name extends OperationName> =
  | { readonly answer: AnswerOf<Name>; readonly ms: number; readonly date: string | undefined }
  | { readonly problem: ProblemType; readonly ms: number; readonly date: string | undefined };
type Call = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type Kit = ReturnType<typeof newKit>;

export function newKit({ url, tls, token, customers, patience = 1, entries = 0 }: KitSettings) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: PARALLEL_SUBMISSIONS, connect: { ...tls } });
  const prefix = pathname.replace(/\/$/, "");

  async function raw(method: string, target: string, body: unknown, deadlineMs: number) {
    const begun = performance.now();
    const {
      statusCode,
      headers,
      body: sent,
    } = await pool
      .request({
        ...{ method: method as "GET", path: prefix + target },
        headers: {
          ...{ accept: "application/json, application/problem+json", "x-request-id": randomUUID() },
          traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-00`,
          "request-timeout-ms": String(deadlineMs),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(deadlineMs),
      })
      .catch((error: Error) => {
        const late = error.name === "TimeoutError";
        throw new Broken(
          late ? `an answer within ${deadlineMs} ms` : "an answer",
          late ? "none" : error.message,
        );
      });
    const text = await sent.text();
    const { date } = headers;
    return {
      ...{ status: statusCode, text, ms: performance.now() - begun },
      date: typeof date === "string" ? date : undefined,
    };
  }

  async function call<Name extends OperationName>(
    name: Name,
    { path = {}, query = {}, body }: Call,
  ): Promise<Answer<Name>> {
    const { method, path: template, answer, problems, deadlineMs } = operations[name];
    const target = template.replace(/\{(\w+)\}/g, (_, part: string) =>
      encodeURIComponent(path[part] ?? "missing"),
    );
    const asked = new URLSearchParams(query).toString();
    const withQuery = asked === "" ? target : `${target}?${asked}`;
    const got = await raw(method, withQuery, body, deadlineMs * patience);
    const { status, text, ms, date } = got;
    const value = jsonIn(text);
    if (status === 200) {
      const read = answer.safeParse(value);
      const [issue] = read.error?.issues ?? [];
      const wrong = issue
        ? `${issue.path.join(".")}: ${issue.message}`
        : contradiction(read.data, path);
      if (wrong === undefined) return { answer: value as AnswerOf<Name>, ms, date };
      throw new Broken(`an answer of ${name} as the contract has it`, wrong);
    }
    const read = problem.safeParse(value);
    if (!read.success) {
      throw new Broken(
        `200 or a problem of the contract from ${name}`,
        `HTTP ${status} ${text.slice(0, 100)}`,
      );
    }
    const said = read.data.type.slice(PROBLEM_PREFIX.length) as ProblemType;
    const allowed = [
      ...problems,
      "malformed-request",
      "not-authorised",
      "overloaded",
      "unavailable",
    ];
    if (!allowed.includes(said) || problemTypes[said] !== status) {
      throw new Broken(`a problem that ${name} may have`, `HTTP ${status} ${said}`);
    }
    return { problem: said, ms, date };
  }

  /** A core bank may say that it cannot answer now: it is asked again, as Drawbridge does. */
  async function answerOf<Name extends OperationName>(name: Name, given: Call) {
    for (let nth = 1; ; nth += 1) {
      const got = await call(name, given);
      if ("answer" in got) return got.answer;
      const isBusy = got.problem === "overloaded" || got.problem === "unavailable";
      if (!isBusy || nth === BUSY_TIMES_MAX) {
        throw new Broken(`an answer from ${name}`, got.problem);
      }
      await sleep(BUSY_PAUSE_MS);
    }
  }

  async function refusedAs(
    expected: ProblemType,
    name: OperationName,
    given: Call,
  ): Promise<string> {
    const got = await call(name, given);
    if ("problem" in got && got.problem === expected) return expected;
    throw new Broken(expected, "problem" in got ? got.problem : "an answer");
  }

  const accountsOf = async (customerId: string) =>
    (await answerOf("listAccounts", { path: { customerId } })).accounts;
  const listed = once(async () => {
    const listing = async (customerId: string) => ({
      customerId,
      accounts: await accountsOf(customerId),
    });
    return Promise.all(customers.map(listing));
  });
  /** Payments as they were answered when they were submitted; their entries may come later. */
  const submitted: Progress[] = [];
  /** Of accounts that were read whole. */
  const entryCounts = new Map<string, number>();
  return {
    call,
    answerOf,
    refusedAs,
    raw,
    accountsOf,
    listed,
    submitted,
    entryCounts,
    entriesMax: Math.max(PAGES_MAX * PAGE_MAX, 2 * entries),
    close: () => pool.destroy(),
  };
}

export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What Drawbridge refuses of the progress of payments and of standing orders besides what the schema does. */
function contradiction(
  answer: ReadAnswer | undefined,
  { paymentId }: NonNullable<Call["path"]>,
): string | undefined {
  if (answer === undefined) return undefined;
  const told = "history" in answer ? [answer] : "changes" in answer ? answer.changes : [];
  if ("history" in answer && answer.paymentId !== paymentId) return "another payment";
  const orders = "standingOrders" in answer ? standingOrderRules(answer) : [];
  return [...told.flatMap(progressRules), ...orders].find(([holds]) => !holds)?.[1];
}

export type Check = (kit: Kit, settings: KitSettings) => Promise<string>;
