import { expect, it } from "vitest";
import { standingOrderFrequencies } from "@/lib/domain/accounts";
import { type CoreBank, CustomerBlocked } from "@/lib/domain/core-bank";
import { isUnavailable, Rejection, UnavailableError } from "@/lib/domain/errors";
import {
  type AccountId,
  addTime,
  type ChangePosition,
  type Currency,
  dayIn,
  type Iban,
  type IsoDate,
  type PaymentId,
  type PsuId,
  type ReportCursor,
  type TransactionId,
} from "@/lib/domain/values";
import type { CoreBankClient } from "./client";
import { type OperationName, operations, transactionDetails } from "./contract";
import { httpCoreBank } from "./core-bank";

const eur = "EUR" as Currency;
const iban = "RO41DRWB0000000000000103" as Iban;
const day = (text: string) => text as IsoDate;
const accountId = "A-1" as AccountId;
const customerId = "C-1" as PsuId;
const paymentId = "0d0c0a3e-2a44-4f6b-9a52-0c8f0a8f8d11" as PaymentId;
const at = "2026-03-02T10:00:00.000Z";

const account = (id = "A-1", more: object = {}) => ({
  ...{ id, iban, currency: "EUR", bic: "DRWBROBU", name: "Current account", product: "Current" },
  ...{ usage: "PRIV", status: "enabled", isDefault: true },
  owners: [{ name: "Maria Ionescu", role: "owner" }],
  ...more,
});
const money = (amount: string, currency = "EUR") => ({ amount, currency });
const balances = (currency = "EUR") => [
  { type: "closingBooked", amount: money("10.00", currency), referenceDate: "2026-03-01" },
  { type: "expected", amount: money("9.50", currency), lastChangeAt: at },
  { type: "forwardAvailable", amount: money("9.50", currency), referenceDate: "2026-03-03" },
];
const entry = (id: string, day: string, more: object = {}) => ({
  ...{ id, day, status: "booked", amount: money("-1.00"), counterparty: {} },
  ...{ bankTransactionCode: "PMNT-ICDT-ESCT", ...more },
});

const standingOrder = (more: object = {}) => ({
  ...{ id: "S-1", amount: money("-5.00"), counterparty: {}, startDate: "2026-01-01" },
  ...{ frequency: "Monthly", ...more },
});

/** The adapter before a core bank that gives this answer to this operation, read by its schema. */
function answering(name: OperationName, given: unknown) {
  const faults: string[] = [];
  const client: CoreBankClient = {
    call: async (called) => {
      expect(called).toBe(name);
      if (typeof given === "string") return { problem: given } as never;
      const operation = operations[name];
      const schema = "read" in operation ? operation.read : operation.answer;
      return { answer: schema.parse(given) } as never;
    },
    malformed: (_name, detail) => {
      faults.push(detail);
      return new UnavailableError("malformed");
    },
    isReachable: () => true,
    close: async () => undefined,
  };
  return { bank: httpCoreBank(client), faults };
}

const held = { customerId, accountId };
const query = {
  ...{ ...held, from: day("2026-01-01"), to: day("2026-03-02"), limit: 2 },
  statuses: ["booked"] as const,
};
const order = {
  product: "sepa-credit-transfers",
  amount: { currency: eur, minorUnits: 1_250n },
  debtor: { iban },
  creditor: { name: "Shop", iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
} as const;
const debit = { accountId: "A-1", amount: money("12.50"), fee: money("0.00") };
const quote = { account: account(), debit, fee: money("0.00"), fundsAvailable: true };
const inRon = {
  ...{ account: account("A-1", { currency: "RON" }), fee: money("0.00"), fundsAvailable: true },
  debit: { accountId: "A-1", amount: money("62.13", "RON"), fee: money("0.00", "RON") },
};
const progress = (...history: readonly object[]) => ({ paymentId, history, nextAt: at });
const now = new Date(at);

type Ask = (bank: CoreBank) => Promise<unknown>;
const limits: Ask = (bank) => bank.limits(customerId, now);
const accountsOf: Ask = (bank) => bank.accountsOf(customerId);
const accounts: Ask = (bank) => bank.accounts({ customerId, ids: [accountId] });
const balancesOf: Ask = (bank) => bank.balances({ customerId, ids: [accountId] }, now);
const transactions: Ask = (bank) => bank.transactions(query);
const transaction: Ask = (bank) => bank.transaction(held, "T-1" as never);
const standingOrders: Ask = (bank) => bank.standingOrders(held);
const checkFunds: Ask = (bank) => {
  const amounts = [{ currency: eur, minorUnits: 100n }];
  return bank.checkFunds({ accountId, customerId, amounts });
};
const quotePayment: Ask = (bank) => bank.quotePayment({ customerId, order, now });
const payment: Ask = (bank) => bank.payment(paymentId);

type Answered = readonly [string, OperationName, unknown, Ask];
const yen = money("-1", "JPY");
const foreignAmounts = [
  ["an entry", { amount: yen }],
  ["a balance after it", { details: { balanceAfter: { type: "expected", amount: yen } } }],
  [
    "a member of a batch",
    { details: { batch: { count: 1, members: [{ amount: yen, counterparty: {} }] } } },
  ],
] as const;

it.each<Answered>([
  ["an account twice", "listAccounts", { accounts: [account(), account()] }, accountsOf],
  ["an account nobody asked for", "lookupAccounts", { accounts: [account("A-2")] }, accounts],
  [
    "two balances of three",
    "lookupBalances",
    { accounts: [{ account: account(), balances: balances().slice(1) }] },
    balancesOf,
  ],
  [
    "balances in another currency",
    "lookupBalances",
    { accounts: [{ account: account(), balances: balances("RON") }] },
    balancesOf,
  ],
  [
    "another account's entries",
    "listTransactions",
    { account: account("A-2"), transactions: [] },
    transactions,
  ],
  [
    "entries in another order",
    "listTransactions",
    {
      account: account(),
      transactions: [entry("T-1", "2026-02-01"), entry("T-2", "2026-02-02")],
    },
    transactions,
  ],
  [
    "an entry twice",
    "listTransactions",
    {
      account: account(),
      transactions: [entry("T-1", "2026-02-01"), entry("T-1", "2026-02-01")],
    },
    transactions,
  ],
  ...[
    ["the last entry of the page before", { transactions: [entry("T-0", "2026-02-01")] }],
    ["a later day than the page before", { transactions: [entry("T-1", "2026-02-02")] }],
    [
      "the cursor of this page for the next one",
      { transactions: [entry("T-1", "2026-01-31")], cursor: "7" },
    ],
    ["a next page after one without entries", { transactions: [], cursor: "8" }],
  ].map(
    ([what, page]): Answered => [
      `${what}`,
      "listTransactions",
      { account: account(), ...(page as object) },
      (bank) => {
        const last = { id: "T-0" as TransactionId, day: day("2026-02-01") };
        return bank.transactions({ ...query, after: "7" as ReportCursor, last });
      },
    ],
  ),
  [
    "more entries than a page has",
    "listTransactions",
    {
      account: account(),
      transactions: ["T-1", "T-2", "T-3"].map((id) => entry(id, "2026-02-01")),
    },
    transactions,
  ],
  [
    "an entry of another time",
    "listTransactions",
    { account: account(), transactions: [entry("T-1", "2025-12-31")] },
    transactions,
  ],
  [
    "a pending entry among booked ones",
    "listTransactions",
    { account: account(), transactions: [entry("T-1", "2026-02-01", { status: "pending" })] },
    transactions,
  ],
  ...foreignAmounts.flatMap(([what, more]) => {
    const foreign = entry("T-1", "2026-02-01", more);
    return [
      [
        `${what} in another currency, of one entry`,
        "getTransaction",
        { account: account(), transaction: foreign },
        transaction,
      ],
      [
        `${what} in another currency, in a list`,
        "listTransactions",
        { account: account(), transactions: [foreign] },
        transactions,
      ],
    ] satisfies readonly Answered[];
  }),
  [
    "another entry",
    "getTransaction",
    { account: account(), transaction: entry("T-2", "2026-02-01") },
    transaction,
  ],
  [
    "another account's standing orders",
    "listStandingOrders",
    { account: account("A-2"), standingOrders: [] },
    standingOrders,
  ],
  ...[
    ["a standing order that pays in", { amount: money("5.00") }],
    ["a standing order that pays nothing", { amount: money("0.00") }],
    ["a limit of nothing", { limitAmount: money("0.00") }],
    ["a standing order in another currency", { amount: yen }],
    ["a standing order with a limit in another currency", { limitAmount: yen }],
    ["months of a standing order that is not MonthlyVariable", { monthsOfExecution: ["1"] }],
    ["MonthlyVariable without its months", { frequency: "MonthlyVariable" }],
    ["a month twice", { frequency: "MonthlyVariable", monthsOfExecution: ["1", "1"] }],
  ].map(([what, more]): Answered => {
    const orders = [standingOrder(), standingOrder(more as object)];
    const given = { account: account(), standingOrders: orders };
    return [`${what}`, "listStandingOrders", given, standingOrders];
  }),
  [
    "no answer for an amount",
    "checkFunds",
    { currency: "EUR", status: "enabled", compared: [] },
    checkFunds,
  ],
  [
    "yes to another amount",
    "checkFunds",
    { currency: "EUR", status: "enabled", compared: [{ amount: money("0.99"), covered: true }] },
    checkFunds,
  ],
  [
    "no rate for the account's own currency",
    "checkFunds",
    { currency: "EUR", status: "enabled", compared: [null] },
    checkFunds,
  ],
  ...(["9.00", "1.00"] as const).map(
    (yes): Answered => [
      `yes to ${yes} and no to 1.00`,
      "checkFunds",
      {
        ...{ currency: "EUR", status: "enabled" },
        compared: [
          { amount: money(yes), covered: true },
          { amount: money("1.00"), covered: false },
        ],
      },
      (bank) => {
        const minorUnits = yes === "9.00" ? 900n : 100n;
        const amounts = [
          { currency: eur, minorUnits },
          { currency: eur, minorUnits: 100n },
        ];
        return bank.checkFunds({ accountId, customerId, amounts });
      },
    ],
  ),
  [
    "a quote whose execution date is over",
    "quotePayment",
    { ...quote, executionDate: dayIn("UTC", addTime(now, -2, "day")) },
    quotePayment,
  ],
  [
    "a quote for another account",
    "quotePayment",
    { ...quote, debit: { ...debit, accountId: "A-2" } },
    quotePayment,
  ],
  [
    "a quote for another sub-account",
    "quotePayment",
    quote,
    (bank) => {
      const debtor = { iban, currency: "RON" as Currency };
      return bank.quotePayment({ customerId, order: { ...order, debtor }, now });
    },
  ],
  ...[
    ["a rate where nothing is converted", quote, "EUR", "EUR"],
    ["no rate where something is", inRon, "none", "none"],
    ["a rate of other currencies", inRon, "EUR", "USD"],
  ].map(([what, given, from, to]): Answered => {
    const rate = from === "none" ? {} : { rate: { from, to, rate: "4.97", source: "bank" } };
    return [`${what}`, "quotePayment", { ...(given as object), ...rate }, quotePayment];
  }),
  [
    "a rounded debit",
    "quotePayment",
    { ...quote, debit: { ...debit, amount: money("13.00") } },
    quotePayment,
  ],
  [
    "a fee below nothing",
    "quotePayment",
    { ...quote, debit: { ...debit, fee: money("-1.00") } },
    quotePayment,
  ],
  [
    "another payment's status",
    "getPayment",
    { ...progress({ status: "ACCP", at }), paymentId: crypto.randomUUID() },
    payment,
  ],
  [
    "a status that goes backwards",
    "getPayment",
    progress({ status: "ACCP", at }, { status: "ACSP", at }, { status: "PDNG", at }),
    payment,
  ],
  [
    "a limit in another currency",
    "getLimits",
    { day: money("100.00"), usedToday: money("100", "JPY") },
    limits,
  ],
  [
    "changes, and the position that they were asked for by",
    "listChanges",
    { changes: [progress({ status: "ACCP", at })], next: "7" },
    (bank) => bank.paymentChanges("7" as ChangePosition),
  ],
  ["a rejection without a reason", "getPayment", progress({ status: "RJCT", at }), payment],
  [
    "a status that is no end, and when to ask again",
    "getPayment",
    { paymentId, history: [{ status: "ACCP", at }] },
    payment,
  ],
])(
  "a core bank that answers with %s has given no answer, and the log says so",
  async (_what, name, given, ask) => {
    const { bank, faults } = answering(name, given);
    await expect(ask(bank)).rejects.toSatisfy(isUnavailable);
    expect(faults).toHaveLength(1);
  },
);

it("standing orders have each frequency of the standard, and what else the core bank tells", async () => {
  const more = {
    ...{
      executionRule: "preceding",
      withinAMonthFlag: true,
      multiplicator: 2,
      dayOfExecution: "31",
    },
    ...{ endDate: "2026-12-31", bankTransactionCode: "PMNT-IRCT-STDO" },
  };
  const orders = standingOrderFrequencies.map((frequency) =>
    standingOrder({
      ...{ frequency, limitAmount: money("9.00"), ...more },
      ...(frequency === "MonthlyVariable" && { monthsOfExecution: ["1", "12"] }),
    }),
  );
  const { bank } = answering("listStandingOrders", { account: account(), standingOrders: orders });
  const [amount, limitAmount] = [-500n, 900n].map((minorUnits) => ({ currency: eur, minorUnits }));
  expect((await bank.standingOrders(held))?.standingOrders).toEqual(
    orders.map((order) => ({ ...order, amount, limitAmount })),
  );
});

it("a standing order that moves what is left may have an amount of zero", async () => {
  const sweep = { amount: money("0.00"), bankTransactionCode: "PMNT-MCOP-OTHR" };
  const answer = { account: account(), standingOrders: [standingOrder(sweep)] };
  const { bank } = answering("listStandingOrders", answer);
  expect((await bank.standingOrders(held))?.standingOrders).toMatchObject([
    { amount: { currency: eur, minorUnits: 0n } },
  ]);
});

it.each([
  [1, 140, true],
  [1, 141, false],
  [2, 35, true],
  [2, 36, false],
])("of %s structured references of an entry each has %s characters: %s", (count, length, fits) => {
  const reference = "R".repeat(length);
  const structuredRemittance = Array.from({ length: count }, () => ({ reference }));
  expect(transactionDetails.safeParse({ structuredRemittance }).success).toBe(fits);
});

it("a quote in another currency than the order's has the rate between the two", async () => {
  const rate = { from: "EUR", to: "RON", rate: "4.97", source: "bank" };
  const { bank } = answering("quotePayment", { ...inRon, rate });
  expect(await quotePayment(bank)).toMatchObject({ rate });
});

it.each<readonly [OperationName, Ask]>([
  ["listAccounts", accountsOf],
  ["lookupAccounts", accounts],
  ["lookupBalances", balancesOf],
  ["listTransactions", transactions],
  ["getTransaction", transaction],
  ["listStandingOrders", standingOrders],
  ["checkFunds", checkFunds],
  ["quotePayment", quotePayment],
  ["getLimits", limits],
])(
  "that the bank has blocked the customer is an outcome of its own, and no incident: %s",
  async (name, ask) => {
    expect(operations[name].problems).toContain("customer-blocked");
    const { bank, faults } = answering(name, "customer-blocked");
    await expect(ask(bank)).rejects.toSatisfy(
      (error) => error instanceof CustomerBlocked && !isUnavailable(error),
    );
    expect(faults).toEqual([]);
  },
);

it.each<readonly [string, OperationName, string, Ask, unknown]>([
  ["a customer", "listAccounts", "unknown-customer", accountsOf, []],
  ["a customer's limits", "getLimits", "unknown-customer", limits, undefined],
  ["an account's entries", "listTransactions", "unknown-account", transactions, undefined],
  ["an entry's account", "getTransaction", "unknown-account", transaction, undefined],
  [
    "an account's standing orders",
    "listStandingOrders",
    "unknown-account",
    standingOrders,
    undefined,
  ],
  ["an account's funds", "checkFunds", "unknown-account", checkFunds, undefined],
  ["the debtor's account", "quotePayment", "unknown-account", quotePayment, undefined],
  ["a payment", "getPayment", "unknown-payment", payment, undefined],
])("what the core bank does not know is not there: %s", async (_what, name, problem, ask, none) => {
  expect(await ask(answering(name, problem).bank)).toEqual(none);
});

it.each<readonly [string, OperationName, unknown, Ask, unknown]>([
  ["listed", "listAccounts", { accounts: [account("A-1", { status: "deleted" })] }, accountsOf, []],
  [
    "looked up",
    "lookupAccounts",
    { accounts: [account("A-1", { status: "deleted" })] },
    accounts,
    [],
  ],
  [
    "reported on",
    "listTransactions",
    { account: account("A-1", { status: "deleted" }), transactions: [] },
    transactions,
    undefined,
  ],
])("a closed account is as good as unknown: %s", async (_what, name, given, ask, none) => {
  expect(await ask(answering(name, given).bank)).toEqual(none);
});

it("a cursor that the core bank no longer reads is the TPP's FORMAT_ERROR", async () => {
  const { bank } = answering("listTransactions", "expired-cursor");
  await expect(transactions(bank)).rejects.toMatchObject({
    faults: [{ code: "FORMAT_ERROR", path: "cursor" }],
  });
});

it("a position of the feed may be unknown to the core bank, and its beginning may not: that is an incident", async () => {
  const { bank, faults } = answering("listChanges", "expired-cursor");
  await expect(bank.paymentChanges("7" as ChangePosition)).rejects.toBeInstanceOf(Rejection);
  expect(faults).toEqual([]);
  await expect(bank.paymentChanges()).rejects.toBeInstanceOf(UnavailableError);
  expect(faults).toEqual(["the beginning of the feed is refused"]);
});

it("a change in the feed that cannot be used is an incident, and the others are read", async () => {
  const changes = [
    progress({ status: "ACCP", at }),
    progress({ status: "RJCT", at, reason: "something-new" }),
    progress({ status: "ACSP", at }),
    "no change at all",
    progress({ status: "ACCP", at }, { status: "ACSP", at }),
  ];
  const { bank, faults } = answering("listChanges", { changes, next: "7" });
  const read = await bank.paymentChanges();
  expect(read.changes.map(({ status }) => status)).toEqual(["ACCP", "ACSP"]);
  expect([read.unusable, read.next]).toEqual([3, "7"]);
  expect(faults).toEqual([
    expect.stringMatching(`^changes.1, of the payment ${paymentId}: `),
    expect.stringMatching(`^changes.2, of the payment ${paymentId}: `),
    expect.stringMatching("^changes.3, of the payment undefined: "),
  ]);
});

it("no more entries are asked for in a page than the contract allows, whatever the profile says", async () => {
  const asked: unknown[] = [];
  const client = {
    call: async (_name: unknown, { query }: { query: object }) => {
      asked.push(operations.listTransactions.query.parse(query).limit);
      return { problem: "unknown-account" };
    },
  } as unknown as CoreBankClient;
  for (const limit of [100, 1_000]) {
    await httpCoreBank(client).transactions({ ...query, limit });
  }
  expect(asked).toEqual([100, 500]);
});

it("reads of accounts name the customer who has granted them", async () => {
  const asked: unknown[] = [];
  const client = {
    call: async (name: OperationName, { body, query }: { body?: object; query?: object }) => {
      asked.push([name, (body ?? query) as unknown]);
      if (name.startsWith("lookup")) return { answer: { accounts: [] } };
      return { problem: name === "getTransaction" ? "unknown-transaction" : "unknown-account" };
    },
  } as unknown as CoreBankClient;
  const bank = httpCoreBank(client);
  for (const read of [accounts, balancesOf, transactions, transaction, standingOrders]) {
    await read(bank);
  }
  const named = expect.objectContaining({ customerId });
  expect(asked).toEqual([
    ...[
      ["lookupAccounts", named],
      ["lookupBalances", named],
      ["listTransactions", named],
    ],
    ...[
      ["getTransaction", named],
      ["lookupAccounts", named],
      ["listStandingOrders", named],
    ],
  ]);
});

it("the X-Request-ID of a TPP's request goes with the calls that it causes", async () => {
  const contexts: unknown[] = [];
  const client = {
    call: async (_name: unknown, _call: unknown, context: unknown) => {
      contexts.push(context);
      return { answer: { accounts: [] } };
    },
  } as unknown as CoreBankClient;
  await httpCoreBank(client)
    .forRequest?.("r-1" as never)
    .accountsOf(customerId);
  await accountsOf(httpCoreBank(client));
  expect(contexts).toEqual([{ requestId: "r-1" }, {}]);
});

it("a consent may have more accounts than one lookup: they are looked up in groups, and come in their order", async () => {
  const ids = Array.from({ length: 450 }, (_, nth) => `A-${nth}` as AccountId);
  const groups: number[] = [];
  const client = {
    call: async (name: "lookupAccounts" | "lookupBalances", { body }: { body: unknown }) => {
      const asked = operations[name].body.parse(body).ids;
      groups.push(asked.length);
      const found = asked.toReversed().map((id) => account(id));
      const withBalances = found.map((one) => ({ account: one, balances: balances() }));
      const accounts = name === "lookupAccounts" ? found : withBalances;
      return { answer: operations[name].answer.parse({ accounts }) };
    },
  } as unknown as CoreBankClient;
  const bank = httpCoreBank(client);
  const all = { customerId, ids };
  const noAccount = { customerId, ids: [] };
  expect((await bank.accounts(all)).map(({ id }) => id)).toEqual(ids);
  expect((await bank.balances(all, now)).map(({ account }) => account.id)).toEqual(ids);
  expect(groups).toEqual([200, 200, 50, 200, 200, 50]);
  expect([await bank.accounts(noAccount), await bank.balances(noAccount, now)]).toEqual([[], []]);
  expect(groups).toHaveLength(6);
});

it("amounts, days and instants come in the domain's form", async () => {
  const found = { accounts: [{ account: account(), balances: balances() }] };
  expect(await balancesOf(answering("lookupBalances", found).bank)).toEqual([
    {
      account: account(),
      balances: [
        {
          type: "closingBooked",
          amount: { currency: eur, minorUnits: 1_000n },
          referenceDate: "2026-03-01",
        },
        { type: "expected", amount: { currency: eur, minorUnits: 950n }, lastChangeAt: now },
        {
          type: "forwardAvailable",
          amount: { currency: eur, minorUnits: 950n },
          referenceDate: "2026-03-03",
        },
      ],
    },
  ]);
});
