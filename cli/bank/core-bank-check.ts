import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
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
import { type Currency, fractionDigitsOf } from "@/lib/domain/values";
import { systemClock } from "@/lib/system-clock";

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
  /** Makes the core bank stop and start again; resolves when it may be called. */
  readonly restart?: (() => Promise<void>) | undefined;
  /** Whether payments may be submitted, of the smallest amount and between accounts of the customers. */
  readonly pays: boolean;
  /** What the contract's deadlines are multiplied by: a test system may share its machine. */
  readonly patience?: number | undefined;
};

export type Finding =
  | { readonly result: "kept"; readonly came: string }
  | { readonly result: "broken"; readonly expected: string; readonly came: string }
  | { readonly result: "not checked"; readonly because: string };
export type CheckedRule = Finding & { readonly rule: string };

type Account = z.input<typeof account>;
type Money = z.input<typeof money>;
type Progress = z.input<typeof paymentProgress>;
/** As it was sent: the kit compares texts. */
type AnswerOf<Name extends OperationName> = z.input<(typeof operations)[Name]["answer"]>;

/** Ends a rule: it is broken. */
class Broken extends Error {
  constructor(
    readonly expected: string,
    readonly came: string,
  ) {
    super(`${expected}; ${came}`);
  }
}
/** Ends a rule: what it needs is missing. */
class NotChecked extends Error {}

const PARALLEL_SUBMISSIONS = 50;
const BUSY_TIMES_MAX = 5;
const BUSY_PAUSE_MS = 500;
const PAGE = 10;
const PAGE_MAX = pageLimit;
/** Pages of one report that are read at most, of the contract's largest size. */
const PAGES_MAX = 400;
const CLOCK_SECONDS_MAX = 30;
const SETTLE_POLLS = 20;
const SETTLE_POLL_MS = 250;
const OUT_OF_REACH = "99999999999";

type Answer<Name extends OperationName> =
  | { readonly answer: AnswerOf<Name>; readonly ms: number; readonly date: string | undefined }
  | { readonly problem: ProblemType; readonly ms: number; readonly date: string | undefined };
type Call = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** Checks the rules one after the other and yields each as soon as it is decided. */
export async function* checkCoreBank(settings: KitSettings): AsyncGenerator<CheckedRule> {
  const kit = newKit(settings);
  try {
    for (const [rule, check] of rules) {
      yield { rule, ...(await findingOf(() => check(kit, settings))) };
    }
  } finally {
    await kit.close();
  }
}

async function findingOf(check: () => Promise<string>): Promise<Finding> {
  try {
    return { result: "kept", came: await check() };
  } catch (error) {
    if (error instanceof NotChecked) return { result: "not checked", because: error.message };
    if (error instanceof Broken) {
      return { result: "broken", expected: error.expected, came: error.came };
    }
    const came = error instanceof Error ? error.message : String(error);
    return { result: "broken", expected: "an answer", came };
  }
}

type Kit = ReturnType<typeof newKit>;

function newKit({ url, tls, token, customers, patience = 1 }: KitSettings) {
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
    const value = parsed(text);
    if (status === 200) {
      const read = answer.safeParse(value);
      if (read.success) return { answer: value as AnswerOf<Name>, ms, date };
      const [issue] = read.error.issues;
      const where = issue?.path.join(".");
      throw new Broken(
        `an answer of ${name} as the contract has it`,
        `${where}: ${issue?.message}`,
      );
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
  /** Payments that were submitted; their entries may come later. */
  const submitted: string[] = [];
  return {
    call,
    answerOf,
    refusedAs,
    raw,
    accountsOf,
    listed,
    submitted,
    close: () => pool.destroy(),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Check = (kit: Kit, settings: KitSettings) => Promise<string>;

const rules: readonly (readonly [rule: string, check: Check])[] = [
  ["each customer's payment accounts are listed", listsAccounts],
  [
    "an unknown customer is unknown-customer",
    (kit) =>
      kit.refusedAs("unknown-customer", "listAccounts", {
        path: { customerId: `no ${randomUUID()}` },
      }),
  ],
  ["one customer's accounts are not another's, unless they own them together", separatesCustomers],
  ["accounts are looked up by id, and unknown ones left out", looksUpAccounts],
  ["each account has its three balances, in its currency", hasBalances],
  ["amounts have as many decimals as ISO 4217 gives their currency", hasDecimals],
  ["pages together hold every entry once, newest first", pagesOnce],
  ["an entry is found by its id, as the report showed it", findsEntry],
  ["pages of a report do not move while entries are written", pagesUnderWrites],
  ["a cursor or a position that the core bank has not made is expired-cursor", refusesCursor],
  ["an unknown account is unknown-account", refusesAccount],
  ["standing orders are listed", listsStandingOrders],
  ["funds are confirmed as far as the balance goes, and no further", confirmsFunds],
  ["funds are compared in the account's currency, for any currency or not at all", comparesFunds],
  ["funds of another customer's account are not confirmed", refusesOthersFunds],
  ["a quote says what the payment would take, and changes nothing", quotes],
  ["a quote for another customer's account is refused", refusesOthersQuote],
  ["limits of the own channels are told", tellsLimits],
  [`${PARALLEL_SUBMISSIONS} submissions of one payment at once execute it once`, submitsOnce],
  ["another body under the same id is a conflict, and changes nothing", conflicts],
  ["a payment is known by its id, and an unknown one is unknown-payment", knowsPayment],
  ["a status never goes backwards", goesForward],
  ["the feed of changes names each payment that has changed", feedsChanges],
  ["the day's limit counts what was paid", countsLimits],
  ["a request that the contract does not know is malformed-request", refusesMalformed],
  ["its clock is ours, by half a minute", agreesOnTime],
  ["after a restart nothing is forgotten", survivesRestart],
];

async function listsAccounts({ listed }: Kit): Promise<string> {
  const all = await listed();
  const empty = all.find(({ accounts }) => accounts.length === 0);
  if (empty) throw new Broken(`accounts of ${empty.customerId}`, "none");
  return all.map(({ customerId, accounts }) => `${customerId}: ${accounts.length}`).join(", ");
}

async function separatesCustomers({ listed }: Kit): Promise<string> {
  const [one, ...others] = await listed();
  if (one === undefined || others.length === 0) throw new NotChecked("--customer was given once");
  for (const { customerId, accounts } of others) {
    for (const shared of accounts) {
      const isShared = one.accounts.some(({ id }) => id === shared.id);
      if (isShared && shared.owners.length < 2) {
        throw new Broken(
          `an account of one owner with one customer`,
          `${shared.id} of ${customerId} too`,
        );
      }
    }
  }
  return "no account of one owner is listed twice";
}

async function anyAccount({ listed }: Kit): Promise<{ customerId: string; account: Account }> {
  for (const { customerId, accounts } of await listed()) {
    const account = accounts.find(({ status, mayPay }) => status === "enabled" && mayPay !== false);
    if (account !== undefined) return { customerId, account };
  }
  throw new NotChecked("no customer has an account to pay from");
}

async function looksUpAccounts(kit: Kit): Promise<string> {
  const all = (await kit.listed()).flatMap(({ accounts }) => accounts);
  const wanted = [...new Set(all.map(({ id }) => id))].slice(0, 50);
  const { accounts } = await kit.answerOf("lookupAccounts", {
    body: { ids: [...wanted, `no ${randomUUID()}`] },
  });
  const came = accounts.map(({ id }) => id);
  if (!isDeepStrictEqual(came.toSorted(), wanted.toSorted())) {
    throw new Broken(wanted.join(", "), came.join(", "));
  }
  return `${came.length} of ${wanted.length + 1}`;
}

async function hasBalances(kit: Kit): Promise<string> {
  const ids = (await kit.listed()).flatMap(({ accounts }) => accounts.map(({ id }) => id));
  const { accounts } = await kit.answerOf("lookupBalances", {
    body: { ids: [...new Set(ids)].slice(0, 50) },
  });
  for (const { account, balances } of accounts) {
    const types = balances
      .map(({ type }) => type)
      .toSorted()
      .join(", ");
    if (types !== "closingBooked, expected, forwardAvailable") {
      throw new Broken(`closingBooked, expected, forwardAvailable of ${account.id}`, types);
    }
    const other = balances.find(({ amount }) => amount.currency !== account.currency);
    if (other) throw new Broken(`${account.currency} of ${account.id}`, other.amount.currency);
  }
  return `${accounts.length} accounts`;
}

async function hasDecimals(kit: Kit): Promise<string> {
  const all = [
    ...new Map(
      (await kit.listed()).flatMap(({ accounts }) => accounts).map((one) => [one.id, one]),
    ).values(),
  ];
  const { accounts } = await kit.answerOf("lookupBalances", {
    body: { ids: all.map(({ id }) => id).slice(0, 50) },
  });
  const amounts: Money[] = accounts.flatMap(({ balances }) => balances.map(({ amount }) => amount));
  for (const { id } of all) {
    const { transactions } = await report(kit, id, PAGE);
    amounts.push(...transactions.map(({ amount }) => amount));
  }
  for (const { amount, currency } of amounts) {
    const digits = amount.split(".")[1]?.length ?? 0;
    const wanted = fractionDigitsOf(currency as Currency);
    if (digits !== wanted) throw new Broken(`${wanted} decimals of ${currency}`, amount);
  }
  return `${amounts.length} amounts in ${[...new Set(amounts.map(({ currency }) => currency))].join(", ")}`;
}

const dates = { dateFrom: "2000-01-01", dateTo: "2099-12-31" };

function report(kit: Kit, accountId: string, limit: number, cursor?: string) {
  return kit.answerOf("listTransactions", {
    path: { accountId },
    query: {
      ...dates,
      status: "both",
      limit: String(limit),
      ...(cursor !== undefined && { cursor }),
    },
  });
}

type Entry = Awaited<ReturnType<typeof report>>["transactions"][number];

/** Of an account; `between` is called after the first page. */
async function wholeReport(
  kit: Kit,
  accountId: string,
  limit: number,
  between?: () => Promise<unknown>,
) {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const got = await report(kit, accountId, limit, cursor);
    if (got.transactions.length > limit) {
      throw new Broken(`at most ${limit} entries a page`, String(got.transactions.length));
    }
    entries.push(...got.transactions);
    cursor = got.cursor;
    if (cursor === undefined) return entries;
    if (page === 1) await between?.();
  }
  throw new NotChecked(`the account has more than ${PAGES_MAX * limit} entries`);
}

function checkOnce(entries: readonly Entry[]): void {
  const ids = new Set(entries.map(({ id }) => id));
  if (ids.size !== entries.length) {
    throw new Broken("each entry once", `${entries.length - ids.size} of them twice`);
  }
  const unordered = entries.findIndex(({ day }, nth) => day > (entries[nth - 1]?.day ?? day));
  if (unordered >= 0)
    throw new Broken("newest first", `${entries[unordered]?.id} after an older one`);
}

async function pagesOnce(kit: Kit): Promise<string> {
  const counts: string[] = [];
  for (const { accounts } of await kit.listed()) {
    for (const { id } of accounts) {
      const whole = await wholeReport(kit, id, PAGE_MAX);
      checkOnce(whole);
      if (whole.length <= 5 * PAGE * 10) {
        const small = await wholeReport(kit, id, PAGE);
        if (
          !isDeepStrictEqual(
            small.map((one) => one.id),
            whole.map((one) => one.id),
          )
        ) {
          throw new Broken(
            `the same ${whole.length} entries in pages of ${PAGE}`,
            `${small.length} entries`,
          );
        }
      }
      counts.push(`${id}: ${whole.length}`);
    }
  }
  return counts.join(", ");
}

async function findsEntry(kit: Kit): Promise<string> {
  for (const { accounts } of await kit.listed()) {
    for (const { id: accountId } of accounts) {
      const [entry] = (await report(kit, accountId, PAGE)).transactions;
      if (entry === undefined) continue;
      const { transaction } = await kit.answerOf("getTransaction", {
        path: { accountId, transactionId: entry.id },
      });
      const same = (["id", "amount", "status", "day"] as const).every((name) =>
        isDeepStrictEqual(transaction[name], entry[name]),
      );
      if (!same) throw new Broken(JSON.stringify(entry), JSON.stringify(transaction));
      await kit.refusedAs("unknown-transaction", "getTransaction", {
        path: { accountId, transactionId: `no ${randomUUID()}` },
      });
      return entry.id;
    }
  }
  throw new NotChecked("no account has an entry");
}

async function pagesUnderWrites(kit: Kit, settings: KitSettings): Promise<string> {
  const { account } = await anyAccount(kit);
  const before = await wholeReport(kit, account.id, PAGE_MAX);
  const size = before.length > PAGE * PAGES_MAX ? PAGE_MAX : PAGE;
  if (before.length <= size)
    throw new NotChecked(`${account.id} has no second page of ${size} entries`);
  const during = await wholeReport(kit, account.id, size, () => pay(kit, settings));
  checkOnce(during);
  if (
    !isDeepStrictEqual(
      during.map(({ id }) => id),
      before.map(({ id }) => id),
    )
  ) {
    throw new Broken(
      `the ${before.length} entries that were there when it was begun`,
      `${during.length} entries`,
    );
  }
  return `${before.length} entries in pages of ${size}, with a payment between the first two`;
}

async function refusesCursor(kit: Kit): Promise<string> {
  const { account } = await anyAccount(kit);
  const query = { ...dates, status: "both", limit: "10", cursor: "bm90LWEtY3Vyc29y" };
  await kit.refusedAs("expired-cursor", "listTransactions", {
    path: { accountId: account.id },
    query,
  });
  // From where it is answered so, the feed is read again from its beginning.
  return kit.refusedAs("expired-cursor", "listChanges", { query: { after: query.cursor } });
}

async function refusesAccount(kit: Kit): Promise<string> {
  const path = { accountId: `no ${randomUUID()}` };
  await kit.refusedAs("unknown-account", "listStandingOrders", { path });
  const query = { ...dates, status: "both", limit: "10" };
  return kit.refusedAs("unknown-account", "listTransactions", { path, query });
}

async function listsStandingOrders(kit: Kit): Promise<string> {
  const { account } = await anyAccount(kit);
  const { standingOrders } = await kit.answerOf("listStandingOrders", {
    path: { accountId: account.id },
  });
  return `${standingOrders.length} of ${account.id}`;
}

const least = (currency: string): Money => {
  const digits = fractionDigitsOf(currency as Currency);
  return { amount: digits === 0 ? "1" : `0.${"1".padStart(digits, "0")}`, currency };
};
const most = (currency: string): Money => {
  const digits = fractionDigitsOf(currency as Currency);
  return {
    amount: digits === 0 ? OUT_OF_REACH : `${OUT_OF_REACH}.${"0".repeat(digits)}`,
    currency,
  };
};

async function confirmsFunds(kit: Kit): Promise<string> {
  const { customerId, account } = await anyAccount(kit);
  const ask = async (amount: Money) =>
    (
      await kit.answerOf("checkFunds", {
        body: { accountId: account.id, customerId, amounts: [amount] },
      })
    ).compared[0]?.covered;
  const { accounts } = await kit.answerOf("lookupBalances", { body: { ids: [account.id] } });
  const expected = accounts[0]?.balances.find(({ type }) => type === "expected")?.amount.amount;
  if (await ask(most(account.currency))) throw new Broken(`no for ${OUT_OF_REACH}`, "yes");
  const isPositive = Number(expected) > 0;
  if (isPositive && !(await ask(least(account.currency)))) {
    throw new Broken(`yes for the smallest amount with a balance of ${expected}`, "no");
  }
  return `no for ${OUT_OF_REACH}${isPositive ? ", yes for the smallest amount" : ""}`;
}

/** With no, two and three decimals; the schema has looked at those of the answer. */
const CURRENCIES = ["JPY", "RON", "BHD"] as const;

async function comparesFunds(kit: Kit): Promise<string> {
  let answered = 0;
  for (const { customerId, accounts } of await kit.listed()) {
    for (const { id: accountId, currency } of accounts) {
      const amounts = CURRENCIES.map(least);
      const body = { accountId, customerId, amounts };
      const { compared } = await kit.answerOf("checkFunds", { body });
      if (compared.length !== amounts.length)
        throw new Broken(`${amounts.length} answers`, String(compared.length));
      for (const [nth, one] of compared.entries()) {
        const asked = amounts[nth];
        const isFit =
          asked?.currency === currency
            ? isDeepStrictEqual(one?.amount, asked)
            : one === null || one.amount.currency === currency;
        if (!isFit)
          throw new Broken(`${JSON.stringify(asked)} in ${currency}`, JSON.stringify(one));
        if (one !== null) answered += 1;
      }
    }
  }
  return `${answered} amounts in ${CURRENCIES.join(", ")}`;
}

/** An account of the second customer that the first does not own. */
async function othersAccount({ listed }: Kit) {
  const [one, ...others] = await listed();
  const own = new Set(one?.accounts.map(({ id }) => id));
  const account = others.flatMap(({ accounts }) => accounts).find(({ id }) => !own.has(id));
  if (one === undefined || account === undefined) throw new NotChecked("needs two customers");
  return { customerId: one.customerId, account };
}

async function refusesOthersFunds(kit: Kit): Promise<string> {
  const { customerId, account } = await othersAccount(kit);
  const body = { accountId: account.id, customerId, amounts: [least(account.currency)] };
  return kit.refusedAs("unknown-account", "checkFunds", { body });
}

async function orderFrom(kit: Kit, account: Account) {
  const others = (await kit.listed()).flatMap(({ accounts }) => accounts);
  const payee =
    others.find(({ id, currency }) => id !== account.id && currency === account.currency) ??
    account;
  return {
    product: "sepa-credit-transfers",
    amount: least(account.currency),
    debtor: { iban: account.iban, currency: account.currency },
    creditor: { name: payee.owners[0]?.name ?? "Payee", iban: payee.iban },
    remittance: "Contract kit",
    chargeBearer: "SLEV" as const,
    rejectWithoutFunds: true,
  };
}

async function quoted(kit: Kit) {
  const { customerId, account } = await anyAccount(kit);
  const order = await orderFrom(kit, account);
  const quote = await kit.answerOf("quotePayment", { body: { customerId, order } });
  return { customerId, order, quote, account };
}

async function quotes(kit: Kit): Promise<string> {
  const before = await quoted(kit);
  const { quote, account } = before;
  if (quote.account.id !== account.id || quote.debit.accountId !== account.id) {
    throw new Broken(`a debit of ${account.id}`, quote.debit.accountId);
  }
  const again = await quoted(kit);
  if (!isDeepStrictEqual(again.quote.debit, quote.debit)) {
    throw new Broken(JSON.stringify(quote.debit), JSON.stringify(again.quote.debit));
  }
  const dear = { ...before.order, amount: most(account.currency) };
  const answer = await kit.answerOf("quotePayment", {
    body: { customerId: before.customerId, order: dear },
  });
  if (answer.refusal === undefined && answer.fundsAvailable) {
    throw new Broken(`a refusal or no funds for ${OUT_OF_REACH}`, "neither");
  }
  return `${quote.debit.amount.amount} ${quote.debit.amount.currency} and a fee of ${quote.debit.fee.amount}`;
}

async function refusesOthersQuote(kit: Kit): Promise<string> {
  const { customerId, account } = await othersAccount(kit);
  const order = await orderFrom(kit, account);
  return kit.refusedAs("unknown-account", "quotePayment", { body: { customerId, order } });
}

async function tellsLimits(kit: Kit): Promise<string> {
  const { customerId } = await anyAccount(kit);
  const { day, usedToday } = await kit.answerOf("getLimits", { path: { customerId } });
  return `${usedToday.amount} of ${day.amount} ${day.currency}`;
}

async function pay(kit: Kit, { pays }: KitSettings) {
  if (!pays) throw new NotChecked("needs --pay");
  const { customerId, order, quote } = await quoted(kit);
  const body = {
    customerId,
    order,
    debit: quote.debit,
    authorisedAt: (await systemClock.now()).toISOString(),
  };
  const paymentId = randomUUID();
  kit.submitted.push(paymentId);
  const progress = await kit.answerOf("submitPayment", { path: { paymentId }, body });
  return { paymentId, body, progress };
}

const statusesOf = ({ history }: Progress) => history.map(({ status }) => status).join(" ");

/** Where a payment stands when it stands still, or after some seconds. */
async function settled(kit: Kit, paymentId: string): Promise<Progress> {
  let known = await kit.answerOf("getPayment", { path: { paymentId } });
  for (let poll = 0; poll < SETTLE_POLLS && known.nextAt !== undefined; poll += 1) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS));
    const next = await kit.answerOf("getPayment", { path: { paymentId } });
    const before = statusesOf(known);
    if (!statusesOf(next).startsWith(before)) throw new Broken(`${before} …`, statusesOf(next));
    known = next;
  }
  return known;
}

async function submitsOnce(kit: Kit, { pays }: KitSettings): Promise<string> {
  if (!pays) throw new NotChecked("needs --pay");
  const { customerId, order, quote, account } = await quoted(kit);
  await Promise.all(kit.submitted.map((id) => settled(kit, id)));
  const before = new Set((await wholeReport(kit, account.id, PAGE_MAX)).map(({ id }) => id));
  const body = {
    customerId,
    order,
    debit: quote.debit,
    authorisedAt: (await systemClock.now()).toISOString(),
  };
  const paymentId = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: PARALLEL_SUBMISSIONS }, () =>
      kit.answerOf("submitPayment", { path: { paymentId }, body }),
    ),
  );
  const end = await settled(kit, paymentId);
  for (const answer of answers) {
    if (answer.paymentId !== paymentId) throw new Broken(paymentId, answer.paymentId);
    if (!statusesOf(end).startsWith(statusesOf(answer)))
      throw new Broken(statusesOf(end), statusesOf(answer));
  }
  const debited = `-${order.amount.amount}`;
  const made = (await wholeReport(kit, account.id, PAGE_MAX)).filter(
    ({ id, amount }) => !before.has(id) && amount.amount === debited,
  );
  const wanted = statusesOf(end).includes("ACSP") ? 1 : 0;
  if (made.length !== wanted)
    throw new Broken(`${wanted} entries of ${debited}`, String(made.length));
  return `${statusesOf(end)}, ${made.length} entry`;
}

async function conflicts(kit: Kit, settings: KitSettings): Promise<string> {
  const { paymentId, body } = await pay(kit, settings);
  const other = { ...body, order: { ...body.order, remittance: "Another payment" } };
  await kit.refusedAs("conflict", "submitPayment", { path: { paymentId }, body: other });
  const again = await kit.answerOf("submitPayment", { path: { paymentId }, body });
  return `conflict, and ${statusesOf(again)} for the first body`;
}

async function knowsPayment(kit: Kit, settings: KitSettings): Promise<string> {
  await kit.refusedAs("unknown-payment", "getPayment", { path: { paymentId: randomUUID() } });
  const { paymentId, progress } = await pay(kit, settings);
  const known = await kit.answerOf("getPayment", { path: { paymentId } });
  if (!statusesOf(known).startsWith(statusesOf(progress))) {
    throw new Broken(`${statusesOf(progress)} …`, statusesOf(known));
  }
  return statusesOf(known);
}

async function goesForward(kit: Kit, settings: KitSettings): Promise<string> {
  const { paymentId, progress } = await pay(kit, settings);
  const end = await settled(kit, paymentId);
  if (!statusesOf(end).startsWith(statusesOf(progress))) {
    throw new Broken(`${statusesOf(progress)} …`, statusesOf(end));
  }
  const instants = end.history.map(({ at }) => Date.parse(at));
  if (instants.some((at, nth) => at < (instants[nth - 1] ?? at))) {
    throw new Broken("instants that grow", end.history.map(({ at }) => at).join(", "));
  }
  return statusesOf(end);
}

async function allChanges(kit: Kit, after?: string) {
  const changes: Progress[] = [];
  let position = after;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const got = await kit.answerOf("listChanges", {
      query: { limit: "1000", ...(position !== undefined && { after: position }) },
    });
    changes.push(...got.changes);
    if (got.changes.length === 0) return { changes, next: got.next };
    if (got.next === position) throw new Broken("a position after the changes", got.next);
    position = got.next;
  }
  throw new NotChecked(`the feed has more than ${PAGES_MAX} pages`);
}

async function feedsChanges(kit: Kit, settings: KitSettings): Promise<string> {
  if (!settings.pays) throw new NotChecked("needs --pay");
  const { next } = await allChanges(kit);
  const made = [];
  for (let nth = 0; nth < 3; nth += 1) made.push((await pay(kit, settings)).paymentId);
  for (const paymentId of made) await settled(kit, paymentId);
  const named = new Map((await allChanges(kit, next)).changes.map((one) => [one.paymentId, one]));
  for (const paymentId of made) {
    const told = named.get(paymentId);
    if (told === undefined)
      throw new Broken(`the payments ${made.join(", ")}`, [...named.keys()].join(", "));
    const known = await kit.answerOf("getPayment", { path: { paymentId } });
    if (!statusesOf(known).startsWith(statusesOf(told)))
      throw new Broken(statusesOf(known), statusesOf(told));
  }
  return `${made.length} payments after the position that was the last`;
}

async function countsLimits(kit: Kit, settings: KitSettings): Promise<string> {
  const { customerId } = await anyAccount(kit);
  const read = async () => (await kit.answerOf("getLimits", { path: { customerId } })).usedToday;
  const before = await read();
  const { progress } = await pay(kit, settings);
  if (statusesOf(progress).includes("RJCT")) throw new NotChecked("the payment was rejected");
  const after = await read();
  if (Number(after.amount) <= Number(before.amount))
    throw new Broken(`more than ${before.amount}`, after.amount);
  return `${before.amount}, then ${after.amount} ${after.currency}`;
}

async function refusesMalformed(kit: Kit): Promise<string> {
  const got = await kit.call("lookupAccounts", { body: { ids: "all of them" } });
  if ("problem" in got && got.problem === "malformed-request") return got.problem;
  throw new Broken("malformed-request", "problem" in got ? got.problem : "an answer");
}

/** By the first status of a payment, or else by the header Date, which a proxy may have written. */
async function agreesOnTime(kit: Kit, settings: KitSettings): Promise<string> {
  const told = settings.pays
    ? (await pay(kit, settings)).progress.history[0]?.at
    : (await kit.call("getPayment", { path: { paymentId: randomUUID() } })).date;
  if (told === undefined) throw new NotChecked("needs --pay, or the header Date");
  const said = Date.parse(told);
  const seconds = Math.abs((await systemClock.now()).getTime() - said) / 1_000;
  if (seconds > CLOCK_SECONDS_MAX)
    throw new Broken(`at most ${CLOCK_SECONDS_MAX} s`, `${seconds.toFixed(0)} s`);
  return `${seconds.toFixed(1)} s apart`;
}

/** In the middle of a payment and of a report, which may be continued or begun again, and never be another one. */
async function survivesRestart(kit: Kit, settings: KitSettings): Promise<string> {
  if (settings.restart === undefined) throw new NotChecked("needs --restart COMMAND");
  const { account } = await anyAccount(kit);
  await Promise.all(kit.submitted.map((id) => settled(kit, id)));
  const before = await wholeReport(kit, account.id, PAGE_MAX);
  const { transactions, cursor } = await report(kit, account.id, PAGE);
  const { paymentId, body, progress } = await pay(kit, settings);
  await settings.restart();
  goesOn(progress, await kit.answerOf("getPayment", { path: { paymentId } }));
  goesOn(progress, await kit.answerOf("submitPayment", { path: { paymentId }, body }));
  const end = await settled(kit, paymentId);

  const ids = before.map(({ id }) => id);
  const after = new Set((await wholeReport(kit, account.id, PAGE_MAX)).map(({ id }) => id));
  const lost = ids.filter((id) => !after.has(id));
  if (lost.length > 0)
    throw new Broken(`the entries ${lost.slice(0, 5).join(", ")}`, "none of them");
  if (cursor === undefined) return statusesOf(end);
  const query = { ...dates, status: "both", limit: String(PAGE), cursor };
  const next = await kit.call("listTransactions", { path: { accountId: account.id }, query });
  if ("answer" in next) {
    const pages = [...transactions, ...next.answer.transactions].map(({ id }) => id);
    const wanted = ids.slice(0, pages.length);
    if (!isDeepStrictEqual(pages, wanted)) throw new Broken(wanted.join(", "), pages.join(", "));
  } else if (next.problem !== "expired-cursor") throw new Broken("expired-cursor", next.problem);
  return `${statusesOf(end)}, and the report ${"answer" in next ? "goes on" : "has expired"}`;
}

/** With each step as it was told, its instant included: a payment executed again has others. */
function goesOn({ history }: Progress, later: Progress): void {
  if (isDeepStrictEqual(later.history.slice(0, history.length), history)) return;
  throw new Broken(JSON.stringify(history), JSON.stringify(later.history));
}
