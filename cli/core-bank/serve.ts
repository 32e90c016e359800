import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import {
  type BodyOf,
  compileReaders,
  type OperationName,
  operations,
  PROBLEM_PREFIX,
  type ProblemType,
  problemTypes,
  type QueryOf,
} from "@/lib/core-bank/http/contract";
import type { CoreBank, PaymentProgress } from "@/lib/domain/core-bank";
import { Rejection } from "@/lib/domain/errors";
import {
  type AccountId,
  amountOf,
  type Money,
  type PaymentId,
  type PsuId,
  type TransactionId,
} from "@/lib/domain/values";
import { jsonIn } from "@/lib/json";

type Serving = {
  readonly bank: CoreBank;
  /** Of this request. */
  readonly now: (request: IncomingMessage) => Promise<Date>;
  /** Undefined where the certificate of the client is enough. */
  readonly isAuthorised?: (request: IncomingMessage) => boolean;
  readonly onFault: (error: unknown) => void;
};

type Asked<Name extends OperationName> = {
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
};

/** By the schema of the operation's answer, which is what checks it. */
type Served = Promise<object | ProblemType>;
type Serves<Name extends OperationName> = (bank: CoreBank, asked: Asked<Name>, now: Date) => Served;

const BODY_BYTES_MAX = 1_024 * 1_024;

/** Answers requests of the contract from a core bank: the embedded ledger as another machine. */
export function serveCoreBank({ bank, now, isAuthorised, onFault }: Serving) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { status, value } = await answerTo(request);
      send(response, status, value);
    } catch (error) {
      onFault(error);
      send(response, 503, problemOf("unavailable"));
    }
  };

  async function answerTo(request: IncomingMessage) {
    if (isAuthorised?.(request) === false) return refused("not-authorised");
    const found = operationOf(request);
    if (found === undefined) return refused("malformed-request");
    const { name, path, query } = found;
    const asked = await read(name, request, query);
    if (asked === undefined) return refused("malformed-request");
    // The values were read by the schemas of this very operation.
    const serve = serves[name] as (bank: CoreBank, asked: object, now: Date) => Served;
    const answer = await serve(bank, { path, ...asked }, await now(request)).catch(expired);
    if (typeof answer === "string") return refused(answer);
    const value = asSent(answer);
    // What does not keep the contract does not leave.
    readers[name].parse(value);
    return { status: 200, value };
  }
}

/** By the compiled schemas that Drawbridge reads with: `z.encode`, which cannot be compiled, takes twice as long. */
const readers = compileReaders(({ answer }) => answer);

/** Money as a decimal string, an instant in ISO 8601. */
function asSent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asSent);
  if ("minorUnits" in value) {
    const money = value as Money;
    return { amount: amountOf(money), currency: money.currency };
  }
  const sent: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) if (one !== undefined) sent[key] = asSent(one);
  return sent;
}

const serves: { readonly [Name in OperationName]: Serves<Name> } = {
  listAccounts: async (bank, { path }, now) => {
    const customerId = path["customerId"] as PsuId;
    const accounts = await bank.accountsOf(customerId);
    if (accounts.length === 0 && (await bank.limits(customerId, now)) === undefined) {
      return "unknown-customer";
    }
    return { accounts };
  },
  lookupAccounts: async (bank, { body }) => ({ accounts: await bank.accounts(body) }),
  lookupBalances: async (bank, { body }, now) => ({
    accounts: await bank.balances(body, now),
  }),
  listTransactions: async (bank, { path, query }) => {
    const { customerId, status, dateFrom: from, dateTo: to, limit, cursor } = query;
    const report = await bank.transactions({
      ...{ accountId: path["accountId"] as AccountId, customerId, from, to, limit },
      statuses: status === "both" ? ["booked", "pending"] : [status],
      ...(cursor !== undefined && { after: cursor }),
    });
    if (report === undefined) return "unknown-account";
    return { account: report.account, transactions: report.entries, cursor: report.next };
  },
  getTransaction: async (bank, { path, query: { customerId } }) => {
    const id = path["transactionId"] as TransactionId;
    const accountId = path["accountId"] as AccountId;
    const found = await bank.transaction({ accountId, customerId }, id);
    if (found === undefined) return "unknown-account";
    const { account, transaction } = found;
    return transaction === undefined ? "unknown-transaction" : { account, transaction };
  },
  listStandingOrders: async (bank, { path, query: { customerId } }) => {
    const accountId = path["accountId"] as AccountId;
    const found = await bank.standingOrders({ accountId, customerId });
    if (found === undefined) return "unknown-account";
    return found;
  },
  checkFunds: async (bank, { body }) => {
    const answer = await bank.checkFunds(body);
    if (answer === undefined) return "unknown-account";
    const { currency, status, compared } = answer;
    const told = compared.map((one) => one && { amount: one.amount, covered: one.isCovered });
    return { currency, status, compared: told.map((one) => one ?? null) };
  },
  quotePayment: async (bank, { body }, now) =>
    (await bank.quotePayment({ ...body, now })) ?? "unknown-account",
  submitPayment: async (bank, { path, body }, now) => {
    const paymentId = path["paymentId"] as PaymentId;
    const submitted = await bank.submitPayment({ paymentId, ...body, now });
    return submitted === "conflict" ? "conflict" : progressWith(paymentId, submitted);
  },
  getPayment: async (bank, { path }) => {
    const paymentId = path["paymentId"] as PaymentId;
    const known = await bank.payment(paymentId);
    return known === undefined ? "unknown-payment" : progressWith(paymentId, known);
  },
  listChanges: async (bank, { query }) => {
    const { changes, next } = await bank.paymentChanges(query.after);
    return { changes: changes.map((change) => progressWith(change.paymentId, change)), next };
  },
  getLimits: async (bank, { path }, now) =>
    (await bank.limits(path["customerId"] as PsuId, now)) ?? "unknown-customer",
};

function progressWith(paymentId: PaymentId, { history, fundsAvailable, nextAt }: PaymentProgress) {
  return { paymentId, history, fundsAvailable, nextAt };
}

/** The port's rejection of a page that cannot be read any more. */
function expired(error: unknown): "expired-cursor" {
  if (error instanceof Rejection) return "expired-cursor";
  throw error;
}

type Found = {
  readonly name: OperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
};

const names = Object.keys(operations) as OperationName[];
/** Those without a part to fill in come first: `/payments/changes` is no payment's id. */
const patterns = names
  .toSorted((one, other) => partsIn(one) - partsIn(other))
  .map((name) => {
    const pattern = operations[name].path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    return { name, pattern: new RegExp(`^${pattern}$`) };
  });

function partsIn(name: OperationName): number {
  return operations[name].path.split("{").length;
}

function operationOf({ method, url = "/" }: IncomingMessage): Found | undefined {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  for (const { name, pattern } of patterns) {
    const groups = operations[name].method === method ? pattern.exec(pathname) : null;
    if (groups === null) continue;
    const path = Object.entries(groups.groups ?? {}).map(([part, value]) => {
      return [part, decoded(value)] as const;
    });
    if (path.some(([, value]) => value === undefined)) return undefined;
    return { name, path: Object.fromEntries(path) as Found["path"], query: searchParams };
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Undefined for what the contract does not know. */
async function read(name: OperationName, request: IncomingMessage, query: URLSearchParams) {
  const operation = operations[name];
  const asked = "query" in operation ? operation.query.safeParse(Object.fromEntries(query)) : none;
  const schema: z.ZodType | undefined = "body" in operation ? operation.body : undefined;
  const body = schema === undefined ? none : schema.safeParse(await bodyOf(request));
  return asked.success && body.success ? { query: asked.data, body: body.data } : undefined;
}

const none = { success: true, data: undefined } as const;

/** As JSON; undefined when it is none, or too long. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return jsonIn(Buffer.concat(chunks).toString("utf8"));
}

function problemOf(type: ProblemType) {
  return { type: `${PROBLEM_PREFIX}${type}`, status: problemTypes[type] };
}

function refused(type: ProblemType) {
  return { status: problemTypes[type], value: problemOf(type) };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const type = status === 200 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type }).end(JSON.stringify(value));
}
