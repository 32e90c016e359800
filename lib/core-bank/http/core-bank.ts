import type { BankAccount, Debit, Transaction } from "@/lib/domain/accounts";
import {
  type AccountRead,
  type AccountsOfCustomer,
  type CoreBank,
  CustomerBlocked,
  type EntryPosition,
  expiredCursor,
  type PaymentChanges,
  type PaymentProgress,
  type TransactionQuery,
} from "@/lib/domain/core-bank";
import { mayProceed, type TransactionStatus } from "@/lib/domain/payment-order";
import { type AccountId, addDays, dayIn, type Money, type PaymentId } from "@/lib/domain/values";
import type { CallContext, CoreBankClient } from "./client";
import {
  type AnswerOf,
  idsLimit,
  type OperationName,
  type operations,
  pageLimit,
  paymentProgress,
} from "./contract";

/**
 * A bank's own core banking system as the `CoreBank` port, over the contract. Its clock is its own: `now` of the port is
 * not sent. What its schema cannot say is checked here: an answer about something that was not asked about, or one that
 * contradicts itself, is malformed. Each method rejects with an UnavailableError when there is no answer to be used.
 */
export function httpCoreBank(client: CoreBankClient, context: CallContext = {}): CoreBank {
  async function call<Name extends OperationName>(name: Name, given: Call): Promise<Told<Name>> {
    const got = await client.call(name, given, context);
    if ("problem" in got && got.problem === "customer-blocked") throw new CustomerBlocked();
    return got as Told<Name>;
  }

  function checked<Name extends OperationName, Answer>(
    name: Name,
    answer: Answer,
    rules: readonly (readonly [holds: boolean, otherwise: string])[],
  ): Answer {
    const broken = rules.find(([holds]) => !holds);
    if (broken !== undefined) throw client.malformed(name, broken[1]);
    return answer;
  }

  async function lookup({ customerId, ids }: AccountsOfCustomer): Promise<readonly BankAccount[]> {
    const found = await inGroups(ids, async (group) => {
      const body = { customerId, ids: group };
      const { accounts } = answerOf(await call("lookupAccounts", { body }));
      return checked("lookupAccounts", accounts, lookupRules(group, accounts));
    });
    return inOrder(ids, found.filter(isOpen), ({ id }) => id);
  }

  return {
    forRequest: (requestId) => httpCoreBank(client, { requestId }),
    malformed: (asked, detail) => client.malformed(operationOf[asked], detail),

    accountsOf: async (customerId) => {
      const got = await call("listAccounts", { path: { customerId } });
      if ("problem" in got) return [];
      const { accounts } = got.answer;
      checked("listAccounts", accounts, [[isDistinct(accounts), "an account is listed twice"]]);
      return accounts.filter(isOpen);
    },

    accounts: lookup,

    balances: async ({ customerId, ids }) => {
      const found = await inGroups(ids, async (group) => {
        const body = { customerId, ids: group };
        const { accounts } = answerOf(await call("lookupBalances", { body }));
        return checked("lookupBalances", accounts, [
          ...lookupRules(
            group,
            accounts.map(({ account }) => account),
          ),
          [accounts.every(hasEachBalance), "not the three balances in the account's currency"],
        ]);
      });
      const open = found.filter(({ account }) => isOpen(account));
      return inOrder(ids, open, ({ account }) => account.id);
    },

    transactions: async (query) => {
      const { accountId, customerId, from, to, after, last } = query;
      // The profile of a bank may allow more.
      const limit = Math.min(query.limit, pageLimit);
      const got = await call("listTransactions", {
        path: { accountId },
        query: {
          ...{ customerId, status: statusOf(query), dateFrom: from, dateTo: to, limit },
          cursor: after,
        },
      });
      if ("problem" in got) {
        if (got.problem === "expired-cursor") throw expiredCursor();
        return undefined;
      }
      const { account, transactions, cursor } = got.answer;
      checked("listTransactions", got.answer, [
        [account.id === accountId, "another account"],
        [transactions.length <= limit, "more entries than were asked for"],
        [isNewestFirst(transactions, last), "not newest first"],
        [isDistinct(last ? [last, ...transactions] : transactions), "an entry twice"],
        [cursor === undefined || cursor !== after, "the cursor of this page for the next one"],
        [cursor === undefined || transactions.length > 0, "a next page after one without entries"],
        [
          transactions.every(({ day, status }) => {
            return day >= from && day <= to && query.statuses.includes(status);
          }),
          "an entry that was not asked for",
        ],
        [
          transactions.every((entry) => isInCurrencyOf(account, entry)),
          "an amount in another currency than the account's",
        ],
      ]);
      if (!isOpen(account)) return undefined;
      return { account, entries: transactions, ...(cursor !== undefined && { next: cursor }) };
    },

    transaction: async ({ accountId, customerId }, transactionId) => {
      const path = { accountId, transactionId };
      const got = await call("getTransaction", { path, query: { customerId } });
      if ("problem" in got) {
        if (got.problem === "unknown-account") return undefined;
        // Whether the account is open decides what the TPP is answered.
        const [account] = await lookup({ customerId, ids: [accountId] });
        return account && { account };
      }
      const { account, transaction } = checked("getTransaction", got.answer, [
        [got.answer.account.id === accountId, "another account"],
        [got.answer.transaction.id === transactionId, "another entry"],
        [
          isInCurrencyOf(got.answer.account, got.answer.transaction),
          "an amount in another currency than the account's",
        ],
      ]);
      return isOpen(account) ? { account, transaction } : undefined;
    },

    standingOrders: async ({ accountId, customerId }) => {
      const path = { accountId };
      const got = await call("listStandingOrders", { path, query: { customerId } });
      if ("problem" in got) return undefined;
      checked("listStandingOrders", got.answer, [
        [got.answer.account.id === accountId, "another account"],
        ...standingOrderRules(got.answer),
      ]);
      return isOpen(got.answer.account) ? got.answer : undefined;
    },

    checkFunds: async (question) => {
      const got = await call("checkFunds", { body: question });
      if ("problem" in got) return undefined;
      const { currency, status, compared } = got.answer;
      checked("checkFunds", got.answer, [
        [compared.length === question.amounts.length, "not an answer for each amount"],
        [
          compared.every((one, nth) => {
            const asked = question.amounts[nth];
            if (one === null || asked === undefined) return asked?.currency !== currency;
            if (one.amount.currency !== currency) return false;
            return asked.currency !== currency || asked.minorUnits === one.amount.minorUnits;
          }),
          "an amount that was not asked for",
        ],
        [isOneBalance(compared), "yes to as much as was denied, or more"],
      ]);
      if (status === "deleted") return undefined;
      return {
        currency,
        status,
        compared: compared.map((one) => {
          return one === null ? undefined : { amount: one.amount, isCovered: one.covered };
        }),
      };
    },

    quotePayment: async ({ customerId, order, now }) => {
      const got = await call("quotePayment", { body: { customerId, order } });
      if ("problem" in got) return undefined;
      const { account, debit, rate } = got.answer;
      const { iban, currency = account.currency } = order.debtor;
      checked("quotePayment", got.answer, [
        [
          account.iban === iban && account.currency === currency,
          "another account than the debtor's",
        ],
        [isDebitOf(account, debit), "a debit of another account, or in another currency"],
        [isExact(debit, order.amount), "another amount than the order's"],
        [isRateOf(rate, order.amount, debit.amount), "a rate of other currencies, or none"],
        [isTodayOrLater(got.answer, now), "an execution date that is over"],
      ]);
      return isOpen(account) ? got.answer : undefined;
    },

    submitPayment: async ({ paymentId, customerId, order, debit, authorisedAt }) => {
      const got = await call("submitPayment", {
        path: { paymentId },
        body: { customerId, order, debit, authorisedAt },
      });
      return "problem" in got ? "conflict" : progressFrom("submitPayment", paymentId, got.answer);
    },

    payment: async (paymentId) => {
      const got = await call("getPayment", { path: { paymentId } });
      return "problem" in got ? undefined : progressFrom("getPayment", paymentId, got.answer);
    },

    paymentChanges: async (after) => {
      const got = await call("listChanges", { query: { after } });
      if ("problem" in got) {
        if (after !== undefined) throw expiredCursor();
        throw client.malformed("listChanges", "the beginning of the feed is refused");
      }
      const { changes, next } = got.answer;
      checked("listChanges", got.answer, [
        [changes.length === 0 || next !== after, "changes, and no position after them"],
      ]);
      const read = changes.flatMap(usable);
      return { changes: read, unusable: changes.length - read.length, next };
    },

    limits: async (customerId) => {
      const got = await call("getLimits", { path: { customerId } });
      if ("problem" in got) return undefined;
      const { day, usedToday } = got.answer;
      return checked("getLimits", got.answer, [
        [
          day.currency === usedToday.currency,
          "a limit in another currency than what is used of it",
        ],
      ]);
    },
  };

  function progressFrom(
    name: OperationName,
    asked: PaymentId,
    { paymentId, ...progress }: Progress,
  ): PaymentProgress {
    return withStatus(
      checked(name, progress, [
        [paymentId === asked, "another payment"],
        ...progressRules(progress),
      ]),
    );
  }

  /** None of a change that is malformed, which is an incident of its own. */
  function usable(change: unknown, nth: number): PaymentChanges["changes"] {
    const { data, error } = paymentProgress.safeParse(change);
    const broken =
      data === undefined
        ? `${error.issues[0]?.path.join(".")}: ${error.issues[0]?.message}`
        : progressRules(data).find(([holds]) => !holds)?.[1];
    if (data !== undefined && broken === undefined) return [withStatus(data)];
    const id = paymentProgress.pick({ paymentId: true }).strip().safeParse(change).data?.paymentId;
    client.malformed("listChanges", `changes.${nth}, of the payment ${id}: ${broken}`);
    return [];
  }
}

type Call = Parameters<CoreBankClient["call"]>[1];
type Told<Name extends OperationName> =
  | { readonly answer: AnswerOf<Name> }
  | {
      readonly problem: Exclude<(typeof operations)[Name]["problems"][number], "customer-blocked">;
    };

const operationOf = {
  accounts: "lookupAccounts",
  balances: "lookupBalances",
  transactions: "listTransactions",
  transaction: "getTransaction",
  standingOrders: "listStandingOrders",
} as const satisfies Record<AccountRead, OperationName>;

type Progress = AnswerOf<"getPayment">;

function withStatus<Told extends Pick<Progress, "history">>(told: Told) {
  return { ...told, status: told.history.at(-1)?.status ?? ("ACTC" as const) };
}

export function progressRules({ history, nextAt }: Pick<Progress, "history" | "nextAt">) {
  const steps = history.map(({ status }) => status);
  const { status } = withStatus({ history });
  return [
    [isForward(steps), "a status that does not follow from the one before it"],
    [
      history.every((step) => (step.status === "RJCT") === (step.reason !== undefined)),
      "a reason without RJCT, or RJCT without a reason",
    ],
    // Or nobody would ask how it goes on.
    [ends.has(status) || nextAt !== undefined, `${status} without nextAt`],
  ] as const;
}

/** NextGenPSD2 1.3.12: a standing order that moves what is left, whose amount nobody knows before. */
const VARIABLE_SWEEP = "PMNT-MCOP-OTHR";

/** Of today or later, wherever the core bank's day has begun. */
export function isTodayOrLater(
  { executionDate }: { readonly executionDate?: string | undefined },
  now: Date,
): boolean {
  return executionDate === undefined || executionDate >= addDays(dayIn("UTC", now), -1);
}

export function standingOrderRules({
  account: { currency },
  standingOrders,
}: AnswerOf<"listStandingOrders">) {
  return [
    [
      standingOrders.every(({ amount, bankTransactionCode: code }) =>
        code === VARIABLE_SWEEP ? amount.minorUnits <= 0n : amount.minorUnits < 0n,
      ),
      "a standing order whose amount does not leave the account",
    ],
    [
      standingOrders.every(({ amount, limitAmount = amount }) =>
        [amount, limitAmount].every((one) => one.currency === currency),
      ),
      "a standing order in another currency than the account's",
    ],
    [
      standingOrders.every(
        ({ limitAmount: limit }) => limit === undefined || limit.minorUnits > 0n,
      ),
      "a limit of a standing order that is not above zero",
    ],
    [
      standingOrders.every(({ frequency, monthsOfExecution: months }) => {
        if (frequency !== "MonthlyVariable") return months === undefined;
        return months !== undefined && new Set(months).size === months.length;
      }),
      "MonthlyVariable without its months or with one twice, or months without it",
    ],
  ] as const;
}

/** Of an operation whose answer is never a problem. */
function answerOf<Answer>(got: { readonly answer: Answer } | { readonly problem: never }): Answer {
  if ("answer" in got) return got.answer;
  throw new Error("a problem that this operation has not");
}

/** A lookup for each group of as many accounts as the contract allows in one, all at once. */
async function inGroups<Row>(
  ids: readonly AccountId[],
  lookup: (group: readonly AccountId[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const groups = Array.from({ length: Math.ceil(ids.length / idsLimit) }, (_, nth) =>
    ids.slice(nth * idsLimit, (nth + 1) * idsLimit),
  );
  return (await Promise.all(groups.map(lookup))).flat();
}

const isOpen = ({ status }: BankAccount) => status !== "deleted";

function isDistinct(rows: readonly { readonly id: string }[]): boolean {
  return new Set(rows.map(({ id }) => id)).size === rows.length;
}

function lookupRules(ids: readonly AccountId[], found: readonly BankAccount[]) {
  const isAsked = found.every(({ id }) => ids.includes(id));
  return [
    [isAsked, "an account that was not asked for"],
    [isDistinct(found), "an account twice"],
  ] as const;
}

function inOrder<Row>(
  ids: readonly AccountId[],
  rows: readonly Row[],
  idOf: (row: Row) => AccountId,
): readonly Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function hasEachBalance({
  account,
  balances,
}: AnswerOf<"lookupBalances">["accounts"][number]): boolean {
  const types = new Set(balances.map(({ type }) => type));
  const inCurrency = balances.every(({ amount }) => amount.currency === account.currency);
  return inCurrency && types.size === 3 && balances.length === 3;
}

function isInCurrencyOf({ currency }: BankAccount, { amount, details }: Transaction): boolean {
  const members = details?.batch?.members?.map((member) => member.amount) ?? [];
  const amounts = [amount, details?.balanceAfter?.amount ?? amount, ...members];
  return amounts.every((one) => one.currency === currency);
}

function statusOf({ statuses: [one, another = one] }: TransactionQuery) {
  return one === another ? one : "both";
}

function isNewestFirst(entries: readonly EntryPosition[], last?: EntryPosition): boolean {
  return entries.every(({ day }, nth) => day <= ((entries[nth - 1] ?? last)?.day ?? day));
}

/** All are compared with the funds of one instant. */
function isOneBalance(compared: AnswerOf<"checkFunds">["compared"]): boolean {
  const answers = compared.filter((one) => one !== null);
  return answers.every(
    (yes) =>
      !yes.covered ||
      answers.every((no) => no.covered || yes.amount.minorUnits < no.amount.minorUnits),
  );
}

function isDebitOf(account: BankAccount, { accountId, amount, fee }: Debit): boolean {
  const { id, currency } = account;
  return accountId === id && amount.currency === currency && fee.currency === currency;
}

/** Nothing is converted within one currency. */
function isExact(debit: Debit, { currency, minorUnits }: Money): boolean {
  const { amount, fee } = debit;
  if (amount.minorUnits <= 0n || fee.minorUnits < 0n) return false;
  return amount.currency !== currency || amount.minorUnits === minorUnits;
}

/** There is a rate where something is converted, and nowhere else. */
function isRateOf(rate: AnswerOf<"quotePayment">["rate"], order: Money, debit: Money): boolean {
  const converted = order.currency === debit.currency ? [] : [order.currency, debit.currency];
  const told = rate === undefined ? [] : [rate.from, rate.to];
  return converted.toSorted().join() === told.toSorted().join();
}

const ends: ReadonlySet<TransactionStatus> = new Set(["ACSC", "ACCC", "RJCT"]);

function isForward(steps: readonly TransactionStatus[]): boolean {
  return steps.every((status, nth) => mayProceed(steps[nth - 1] ?? "ACTC", status));
}
