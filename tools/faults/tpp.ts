import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Http,
  type HttpReply,
  NoAnswer,
  type PaymentRequest,
  type Permission,
  type Reply,
  text,
} from "@/clients/typescript/src";
import { bankDay, consentRequest } from "@/e2e/harness/consent-request";
import type { ServerSettings } from "@/e2e/harness/server";
import { testTpp } from "@/e2e/harness/test-tpp";
import type { TransactionStatus } from "@/lib/domain/payment-order";
import { PageError } from "@/tools/psu-by-forms";
import type { Currency, Customer } from "./customers";
import type { Answer, Asked, ConsentAnswer, Journal } from "./journal";
import type { Kind, Traffic } from "./traffic";

/** What all clients of a run share: the bank, and the journal of what happens. */
export type Run = {
  readonly bank: ServerSettings;
  readonly journal: Journal;
  readonly traffic: Traffic;
  /**
   * What the run breaks. An answer: it can be lost, and the bank never says that it has a fault. A service, the
   * database or the core bank: that the bank cannot answer now is expected, in its one form. Nothing: no request may fail.
   */
  readonly mayFail: "an answer" | "a service" | "nothing";
};

/** A payment as a TPP sends it, and as it might send it again by mistake. */
export type Order = Asked & {
  readonly product: string;
  readonly bodies: readonly [PaymentRequest, PaymentRequest];
};

export type PayingTpp = Awaited<ReturnType<typeof payingTpp>>;

/** Both without a fee, so that a debit is the amount and nothing else. */
const PRODUCTS = {
  EUR: "sepa-credit-transfers",
  RON: "instant-sepa-credit-transfers",
} as const satisfies Readonly<Record<Currency, string>>;
const MOST_MINOR = 100;
/** An account of no customer here. */
const ELSEWHERE = "RO49AAAA1B31007593840000";
/** Of a consent that no PSU has seen; after a while the bank gives it up. */
const UNSEEN = ["received", "rejected"];

/** A TPP that keeps a journal. Each call is one attempt; undefined when the bank gave no answer to it. */
export async function payingTpp(run: Run) {
  const { bank, journal } = run;
  const { tally, unexpected } = journal;
  const tpp = await testTpp({ bank });
  const { id, bank: api, redirectUri, http, close } = tpp;
  const attempt = attempts(run);
  const redirects = { redirectUri };

  /** What is answered has to be in the access log, once. */
  async function read<Body>(permission: Permission, call: () => Promise<Reply<Body>>) {
    journal.readsSent.push(permission.consentId);
    const reply = await attempt("other", "GET accounts", call);
    if (reply === undefined) return undefined;
    if (!reply.ok) {
      unexpected.push(inWords("GET accounts", reply));
      return undefined;
    }
    journal.readsAnswered.push(permission.consentId);
    tally["reads answered"] += 1;
    return reply.body;
  }

  return {
    ...{ id, redirectUri, close },
    /** For what is asked while nothing is broken. */
    api,
    /** The connection for the authorisation server: its answers pass unchanged, and its faults are noted. */
    http: notingFaults(run, http),

    /** Sends the order, or its other body under the same X-Request-ID. */
    initiate: async (order: Order, body = order.bodies[0]): Promise<Answer | undefined> => {
      const { requestId, product } = order;
      tally["initiations sent"] += 1;
      const headers = { "x-request-id": requestId };
      const reply = await attempt("initiation", "POST payment", () =>
        api.createPayment(product, body, redirects, { headers }),
      );
      if (reply === undefined) return undefined;
      tally["initiations answered"] += 1;
      const paymentId = reply.ok ? reply.body.paymentId : undefined;
      const [said, location] = [JSON.stringify(reply.body), reply.headers["location"]];
      const answer = { requestId, status: reply.status, body: said, location, paymentId };
      journal.answers.push(answer);
      if (paymentId === undefined) unexpected.push(inWords("POST payment", reply));
      return answer;
    },

    status: async (
      { product }: Order,
      paymentId: string,
    ): Promise<TransactionStatus | "refused" | undefined> => {
      const reply = await attempt("other", "GET status", () =>
        api.paymentStatus({ product, paymentId }),
      );
      if (reply === undefined) return undefined;
      if (!reply.ok) {
        unexpected.push(inWords("GET status", reply));
        return "refused";
      }
      const status = reply.body.transactionStatus as TransactionStatus;
      journal.statuses.push({ paymentId, status });
      return status;
    },

    askForConsent: async (requestId: string): Promise<ConsentAnswer | undefined> => {
      journal.consentsAsked.push(requestId);
      const headers = { "x-request-id": requestId };
      const reply = await attempt("consent", "POST consent", () =>
        api.createConsent(consentRequest(), redirects, { headers }),
      );
      if (reply === undefined) return undefined;
      const answer = { requestId, consentId: reply.ok ? reply.body.consentId : undefined };
      if (!reply.ok && !saysUsed(reply)) unexpected.push(inWords("POST consent", reply));
      journal.consents.push(answer);
      return answer;
    },

    /** True when there was an answer, whatever it was. */
    consentStatus: async (consentId: string): Promise<true | undefined> => {
      const reply = await attempt("other", "GET consent status", () =>
        api.consentStatus(consentId),
      );
      if (reply === undefined) return undefined;
      if (!reply.ok || !UNSEEN.includes(reply.body.consentStatus))
        unexpected.push(inWords("GET consent status", reply));
      return true;
    },

    /** The accounts, and of one of them its balances and transactions. */
    readAccounts: async (show: () => Promise<Permission>): Promise<void> => {
      const own = await show();
      const list = await read(own, () => api.accounts(own));
      const account = list?.accounts[0]?.resourceId;
      if (account === undefined) return;
      const [first, second] = [await show(), await show()];
      const booked = { bookingStatus: "booked", dateFrom: bankDay() } as const;
      await read(first, () => api.balances(first, account));
      await read(second, () => api.transactions(second, account, booked));
    },

    /** One more than the consent has saved up is refused, and no line of the log. */
    checkFunds: async (iban: string, permission: Permission): Promise<void> => {
      const question = { account: { iban }, instructedAmount: { currency: "EUR", amount: "1.00" } };
      journal.readsSent.push(permission.consentId);
      const reply = await attempt("other", "POST funds check", () =>
        api.confirmFunds(permission, question),
      );
      if (reply === undefined || reply.status === 429) return;
      if (!reply.ok || !reply.body.fundsAvailable) {
        unexpected.push(inWords("POST funds check", reply));
        return;
      }
      journal.readsAnswered.push(permission.consentId);
      tally["funds checks answered"] += 1;
    },
  };
}

/** Sends once; undefined when the bank gave no answer, or said that it has a fault. */
function attempts({ journal, traffic, mayFail }: Run) {
  return async <Body>(
    kind: Kind,
    what: string,
    call: () => Promise<Reply<Body>>,
  ): Promise<Reply<Body> | undefined> => {
    const reply = await traffic.during(kind, call).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      journal.tally["calls without an answer"] += 1;
      if (mayFail === "nothing") journal.failures.push(`${what}: ${error} (${error.cause})`);
      return undefined;
    });
    if (reply === undefined || reply.status < 500) return reply;
    journal.tally["calls answered with a fault"] += 1;
    const isExpected = mayFail === "a service" && saysNotNow(reply);
    if (!isExpected) journal.unexpected.push(inWords(what, reply));
    return undefined;
  };
}

export function notingFaults(
  { journal, mayFail }: Pick<Run, "journal" | "mayFail">,
  connection: Http,
): Http {
  return {
    ...connection,
    send: async (sent) => {
      const reply = await connection.send(sent);
      const isExpected = mayFail === "a service" && saysTemporarily(reply);
      const { status, body } = reply;
      const what = `${sent.method} ${new URL(sent.url).pathname}`;
      if (status >= 500 && !isExpected)
        journal.unexpected.push(inWords(what, { status, body: text(body) }));
      return reply;
    },
  };
}

/** A page with which the bank says that it has a fault, and not in the form in which it may. */
export function isUnexpectedPage(error: unknown, mayFail: Run["mayFail"]): boolean {
  if (!(error instanceof PageError) || error.status < 500) return false;
  return !(mayFail === "a service" && saysWhen(error.status, error.retryAfter));
}

/** The one form in which a bank without its database answers: try again, and when. */
export function saysNotNow({ status, headers, ...reply }: Reply<unknown>): boolean {
  if (reply.ok || !saysWhen(status, headers["retry-after"])) return false;
  const [message, ...more] = reply.body.tppMessages;
  return message?.code === "SERVICE_UNAVAILABLE" && more.length === 0;
}

/** The same at the token endpoint. */
function saysTemporarily({ status, headers, body }: HttpReply): boolean {
  if (!saysWhen(status, headers["retry-after"])) return false;
  try {
    return JSON.parse(text(body)).error === "temporarily_unavailable";
  } catch {
    return false;
  }
}

/** 503 and a number of seconds. */
function saysWhen(status: number, retryAfter: string | null | undefined): boolean {
  return status === 503 && /^\d+$/.test(retryAfter ?? "never");
}

/** Whose answer was lost asks under a new id: the bank does not say the old one's consent again. */
function saysUsed(reply: Reply<unknown>): boolean {
  const [message] = reply.ok || reply.status !== 400 ? [] : reply.body.tppMessages;
  return message?.code === "FORMAT_ERROR" && message.path === "X-Request-ID";
}

function inWords(
  call: string,
  { status, body }: { readonly status: number; readonly body: unknown },
) {
  return `${call}: HTTP ${status} ${JSON.stringify(body)?.slice(0, 200)}`;
}

/** Some units from the payer to another customer or out of the bank. */
export function newOrder(payer: Customer, others: readonly Customer[]): Order {
  const requestId = randomUUID();
  const currency = pick(["EUR", "RON"] as const);
  const creditors = [ELSEWHERE, ...others.map(({ accounts }) => accounts[currency])];
  const common = {
    debtorAccount: { iban: payer.accounts[currency] },
    creditorAccount: { iban: pick(creditors) },
    creditorName: "Somebody Else",
    remittanceInformationUnstructured: requestId,
  };
  const of = (minor: number) => ({
    ...common,
    instructedAmount: { currency, amount: (minor / 100).toFixed(2) },
  });
  const minor = randomInt(1, MOST_MINOR);
  const amounts = [BigInt(minor), BigInt(minor + MOST_MINOR)];
  const bodies = [of(minor), of(minor + MOST_MINOR)] as const;
  return { requestId, currency, amounts, bodies, product: PRODUCTS[currency] };
}

export function pick<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)] as Item;
}

export const RETRY_MS = 100;
/** A bank that is away for longer does not come back. */
const PATIENCE_MS = 180_000;

/** Again and again until there is an answer. */
export async function insist<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(RETRY_MS);
  }
  throw new Error("the bank does not answer any more");
}

/** Now and then. */
export async function maybe<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  return randomInt(2) === 0 ? act() : undefined;
}
