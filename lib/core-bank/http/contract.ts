import { z } from "zod";
import { standingOrderFrequencies } from "@/lib/domain/accounts";
import type { PaymentProduct } from "@/lib/domain/bank-profile";
import type { Bic } from "@/lib/domain/payment-order";
import type {
  AccountId,
  ChangePosition,
  Currency,
  Iban,
  IsoDate,
  Money,
  PaymentId,
  PsuId,
  ReportCursor,
  TransactionId,
} from "@/lib/domain/values";
import { amountOf, fractionDigitsOf, parseAmount } from "@/lib/domain/values";

/**
 * The contract between Drawbridge and a bank's core banking system: twelve operations over HTTPS and JSON. Each schema
 * is a codec between what is sent and the domain's values: the adapter decodes with them what it receives, the
 * embedded ledger checks with them what it answers, the contract kit tests by them, and docs/core-bank.openapi.yaml
 * is made from them.
 */

/** The same text with the name that the domain gives it. */
const branded = <Brand extends string>(schema: z.ZodString | z.ZodUUID | z.ZodISODate) =>
  schema as unknown as z.ZodType<Brand, string>;

/** Opaque to Drawbridge: a customer's, an account's, an entry's. */
const id = <Brand extends string>() => idText as unknown as z.ZodType<Brand, string>;
const idText = z
  .string()
  .min(1)
  .max(70)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ids have none
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/)
  .meta({ id: "Id", description: "An opaque identifier without control characters." });
const customerId = id<PsuId>();
const accountId = id<AccountId>();
const transactionId = id<TransactionId>();
const paymentId = branded<PaymentId>(
  z.uuid().meta({ id: "PaymentId", description: "Drawbridge's id of a payment." }),
);
const currency = branded<Currency>(
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: "ISO 4217." }),
);
const instant = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const day = branded<IsoDate>(z.iso.date());
const text = (max: number) => z.string().min(1).max(max);
const decimal = z.string().regex(/^-?(0|[1-9]\d{0,13})(\.\d{1,3})?$/);

export const money = z
  .codec(z.strictObject({ amount: decimal, currency }), z.custom<Money>(), {
    decode: ({ amount, currency }, { issues }) => {
      const digits = fractionDigitsOf(currency);
      const minorUnits = parseAmount(amount, digits);
      if (minorUnits !== undefined && (amount.split(".")[1]?.length ?? 0) === digits) {
        return { currency, minorUnits };
      }
      issues.push({ code: "custom", message: `not ${digits} decimals`, input: amount });
      return z.NEVER;
    },
    encode: (value) => ({ amount: amountOf(value), currency: value.currency }),
  })
  .meta({
    id: "Money",
    description:
      "A decimal string with as many fraction digits as ISO 4217 gives the currency: 1500 JPY, 12.50 RON, 0.125 BHD.",
  });

const iban = branded<Iban>(z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/));
const bic = z.string().regex(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/);

export const account = z
  .strictObject({
    id: accountId,
    iban,
    currency,
    bic,
    name: text(70).meta({ description: "The bank's name of the account." }),
    displayName: text(70).optional().meta({ description: "The customer's name of the account." }),
    product: text(35),
    usage: z.enum(["PRIV", "ORGA"]),
    status: z.enum(["enabled", "blocked", "deleted"]),
    isDefault: z.boolean().meta({
      description: "Whether a reference to the IBAN without a currency means this sub-account.",
    }),
    mayPay: z.boolean().optional().meta({
      description:
        "Whether the customer who was asked for may pay from it; present for a customer only. A payment is refused by its quote.",
    }),
    linkedAccounts: text(70).optional(),
    maskedPan: text(35).optional(),
    owners: z
      .array(
        z.strictObject({
          name: text(140),
          role: z.enum(["owner", "legalRepresentative", "authorisedUser"]),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: "Account", description: "A payment account, or one sub-account of an IBAN." });

const balance = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("closingBooked"), amount: money, referenceDate: day }),
    z.strictObject({
      type: z.literal("expected"),
      amount: money,
      lastChangeAt: instant.optional(),
    }),
    z.strictObject({ type: z.literal("forwardAvailable"), amount: money, referenceDate: day }),
  ])
  .meta({ id: "Balance" });

const bankTransactionCode = z.string().regex(/^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/);

const party = {
  name: text(70).optional(),
  iban: iban.optional(),
  bic: bic.optional(),
  ultimateName: text(70).optional(),
};
export const counterparty = z
  .strictObject(party)
  .meta({ id: "Counterparty", description: "The other side of an entry." });

const structuredOf = (max: number) =>
  z.strictObject({
    reference: text(max),
    referenceType: text(max).optional(),
    referenceIssuer: text(max).optional(),
  });
const structured = z
  .array(structuredOf(35).meta({ id: "StructuredRemittance" }))
  .min(1)
  .max(50);
/** The standard has more room for an entry's where it is the only one. */
const onlyStructured = z
  .array(structuredOf(140).meta({ id: "OnlyStructuredRemittance" }))
  .length(1);

/** What an entry and a member of a batch may both have. */
const partyDetails = {
  mandateId: text(35).optional(),
  checkId: text(35).optional(),
  creditorId: text(35).optional(),
  ultimateName: text(70)
    .optional()
    .meta({ description: "The ultimate party on the customer's side." }),
  remittanceLines: z.array(text(140)).min(1).max(50).optional(),
  structuredRemittance: structured.optional(),
  purposeCode: z
    .string()
    .regex(/^[A-Z0-9]{1,4}$/)
    .optional(),
};

const moved = {
  amount: money,
  counterparty,
  endToEndId: text(35).optional(),
  remittance: text(140).optional(),
};

const currencyExchange = z.strictObject({
  sourceCurrency: currency,
  targetCurrency: currency,
  unitCurrency: currency,
  rate: z.string().regex(/^\d{1,12}(\.\d{1,12})?$/),
  quotationDate: day,
  contractId: text(35).optional(),
});

export const transactionDetails = z
  .strictObject({
    ...partyDetails,
    structuredRemittance: z.union([structured, onlyStructured]).optional(),
    additionalInformation: text(500).optional(),
    proprietaryBankTransactionCode: text(35).optional(),
    currencyExchange: z.array(currencyExchange).min(1).max(10).optional(),
    balanceAfter: balance.optional(),
    batch: z
      .strictObject({
        count: z.int().min(1).max(1_000_000),
        members: z
          .array(z.strictObject({ ...moved, ...partyDetails }))
          .max(1_000)
          .optional(),
      })
      .optional(),
  })
  .meta({ id: "TransactionDetails", description: "What few entries have." });

export const transaction = z
  .strictObject({
    id: transactionId,
    status: z.enum(["booked", "pending"]),
    day: day.meta({ description: "The booking date, or the day a pending entry was entered." }),
    valueDate: day.optional(),
    ...moved,
    entryReference: text(35).optional(),
    bankTransactionCode,
    details: transactionDetails.optional(),
  })
  .meta({ id: "Transaction", description: "Amounts that leave the account are negative." });

export const standingOrder = z
  .strictObject({
    id: transactionId,
    amount: money,
    counterparty,
    remittance: text(140).optional(),
    startDate: day,
    endDate: day.optional(),
    frequency: z.enum(standingOrderFrequencies),
    executionRule: z.enum(["following", "preceding"]).optional().meta({
      description:
        "Whether an execution due on a day that is no business day takes place on the one after it or before it.",
    }),
    withinAMonthFlag: z.boolean().optional().meta({
      description: "Whether `executionRule` keeps the execution within its month.",
    }),
    monthsOfExecution: z
      .array(z.string().regex(/^([1-9]|1[0-2])$/))
      .min(1)
      .max(11)
      .optional()
      .meta({ description: "With `MonthlyVariable`, and only then; each month once." }),
    multiplicator: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: "Of the frequency: `Weekly` with 3 is every three weeks." }),
    dayOfExecution: z
      .string()
      .regex(/^([1-9]|[12]\d|3[01])$/)
      .optional(),
    limitAmount: money.optional().meta({ description: "Above zero." }),
    bankTransactionCode: bankTransactionCode.optional().meta({
      description:
        "Absent, it is `PMNT-ICDT-STDO`. With `PMNT-MCOP-OTHR`, which moves what is left, the amount may be zero.",
    }),
  })
  .meta({
    id: "StandingOrder",
    description:
      "Its amounts are in the account's currency; the one of an execution leaves the account, and is negative.",
  });

const paymentOrder = z
  .strictObject({
    product: branded<PaymentProduct>(
      text(50).meta({
        description: "As in the path of the standard: `sepa-credit-transfers` …",
      }),
    ),
    amount: money,
    debtor: z.strictObject({ iban, currency: currency.optional() }),
    creditor: z.strictObject({
      name: text(70),
      iban,
      currency: currency.optional(),
      agent: branded<Bic>(bic).optional(),
      address: z
        .strictObject({
          streetName: text(70).optional(),
          buildingNumber: text(70).optional(),
          townName: text(70).optional(),
          postCode: text(35).optional(),
          country: z.string().regex(/^[A-Z]{2}$/),
        })
        .optional(),
    }),
    endToEndId: text(35).optional(),
    remittance: text(140).optional(),
    chargeBearer: z.enum(["SLEV", "SHAR", "DEBT", "CRED"]),
    rejectWithoutFunds: z.boolean().meta({
      description: "Without funds the payment is rejected at once and does not wait.",
    }),
  })
  .meta({ id: "PaymentOrder" });

const debit = z
  .strictObject({ accountId, amount: money, fee: money })
  .meta({ id: "Debit", description: "What leaves the account, in its currency." });

const refusal = z.enum(["account-blocked", "psu-limit", "day-limit"]).meta({ id: "Refusal" });
const reason = z
  .enum(["account-blocked", "psu-limit", "day-limit", "no-funds", "creditor-account-closed"])
  .meta({ id: "RejectionReason" });

export const paymentProgress = z
  .strictObject({
    paymentId,
    history: z
      .array(
        z.strictObject({
          status: z.enum(["ACCP", "PDNG", "ACSP", "ACSC", "ACCC", "RJCT"]),
          at: instant,
          reason: reason.optional().meta({ description: "With RJCT." }),
        }),
      )
      .min(1)
      .max(6)
      .meta({ description: "Every status so far, oldest first; it only ever grows." }),
    fundsAvailable: z.boolean().optional(),
    nextAt: instant.optional().meta({
      description: "When there may be more to tell; absent once the payment has come to its end.",
    }),
  })
  .meta({ id: "PaymentProgress" });

/** RFC 9457; the closed list of what a core bank may say. */
export const problemTypes = {
  "customer-blocked": 403,
  "unknown-customer": 404,
  "unknown-account": 404,
  "unknown-transaction": 404,
  "unknown-payment": 404,
  "expired-cursor": 410,
  conflict: 409,
  "malformed-request": 400,
  "not-authorised": 401,
  overloaded: 503,
  unavailable: 503,
} as const;
export type ProblemType = keyof typeof problemTypes;
const problemNames = Object.keys(problemTypes) as [ProblemType, ...ProblemType[]];

export const PROBLEM_PREFIX = "urn:drawbridge:core-bank:" as const;

/** Other members may be there and are not read. */
export const problem = z
  .looseObject({
    type: z.enum(problemNames.map((name) => `${PROBLEM_PREFIX}${name}` as const)),
    title: z.string().max(200).optional(),
    status: z.int().optional(),
    detail: z.string().max(1_000).optional(),
  })
  .meta({ id: "Problem" });

/** Of accounts in one lookup. */
export const idsLimit = 200;
const ids = z.array(accountId).min(1).max(idsLimit);
/** Of whom the account has to be now, and not only when the consent was given. */
const holder = customerId.meta({
  description: "An account that is not, or no longer, this customer's is unknown.",
});
const cursor = branded<ReportCursor>(text(500));
const position = branded<ChangePosition>(text(200));
export const pageLimit = 500;
const changesLimit = 1_000;

/** `query` and `path` are of texts; `deadlineMs` bounds an attempt, and the adapter's retries of safe ones together. */
export const operations = {
  listAccounts: {
    method: "GET",
    path: "/customers/{customerId}/accounts",
    summary:
      "The open payment accounts that the customer may see, in the order of the bank's own channel",
    answer: z.strictObject({ accounts: z.array(account).max(1_000) }),
    problems: ["customer-blocked", "unknown-customer"],
    deadlineMs: 2_000,
    safe: true,
  },
  lookupAccounts: {
    method: "POST",
    path: "/accounts/lookup",
    summary: "Details of several accounts of a customer; unknown and closed ones are left out",
    body: z.strictObject({ customerId: holder, ids }),
    answer: z.strictObject({ accounts: z.array(account).max(idsLimit) }),
    problems: ["customer-blocked"],
    deadlineMs: 2_000,
    safe: true,
  },
  lookupBalances: {
    method: "POST",
    path: "/balances/lookup",
    summary: "The same with the three balances of each account",
    body: z.strictObject({ customerId: holder, ids }),
    answer: z.strictObject({
      accounts: z
        .array(z.strictObject({ account, balances: z.array(balance).max(3) }))
        .max(idsLimit),
    }),
    problems: ["customer-blocked"],
    deadlineMs: 2_000,
    safe: true,
  },
  listTransactions: {
    method: "GET",
    path: "/accounts/{accountId}/transactions",
    summary:
      "A page of entries, newest first; all pages together show the books as they were at the first",
    query: z.strictObject({
      customerId: holder,
      status: z.enum(["booked", "pending", "both"]),
      dateFrom: day,
      dateTo: day,
      limit: z.coerce.number().int().min(1).max(pageLimit),
      cursor: cursor.optional(),
    }),
    answer: z.strictObject({
      account,
      // No check of zod's own, under which it encodes each entry twice: the adapter compares with what it asked for.
      transactions: z.array(transaction).meta({ maxItems: pageLimit }),
      cursor: cursor.optional().meta({
        description: "Of the next page; absent on the last one, which alone may have no entries.",
      }),
    }),
    problems: ["customer-blocked", "unknown-account", "expired-cursor"],
    deadlineMs: 5_000,
    safe: true,
  },
  getTransaction: {
    method: "GET",
    path: "/accounts/{accountId}/transactions/{transactionId}",
    summary: "One entry with all that is known of it",
    query: z.strictObject({ customerId: holder }),
    answer: z.strictObject({ account, transaction }),
    problems: ["customer-blocked", "unknown-account", "unknown-transaction"],
    deadlineMs: 2_000,
    safe: true,
  },
  listStandingOrders: {
    method: "GET",
    path: "/accounts/{accountId}/standing-orders",
    summary: "Standing orders by day of execution, those without one last",
    query: z.strictObject({ customerId: holder }),
    answer: z.strictObject({ account, standingOrders: z.array(standingOrder).max(1_000) }),
    problems: ["customer-blocked", "unknown-account"],
    deadlineMs: 2_000,
    safe: true,
  },
  checkFunds: {
    method: "POST",
    path: "/funds-checks",
    summary: "Whether amounts are available on an account of the customer, each by itself",
    body: z.strictObject({ accountId, customerId, amounts: z.array(money).min(1).max(3) }),
    answer: z.strictObject({
      currency,
      status: account.shape.status,
      compared: z
        .array(z.strictObject({ amount: money, covered: z.boolean() }).nullable())
        .max(3)
        .meta({
          description:
            "Each amount in the account's currency, in their order; null without a rate for it.",
        }),
    }),
    problems: ["customer-blocked", "unknown-account"],
    deadlineMs: 2_000,
    safe: true,
  },
  quotePayment: {
    method: "POST",
    path: "/payments/quote",
    summary: "What the payment would take and whether it would be refused now; changes nothing",
    body: z.strictObject({ customerId, order: paymentOrder }),
    answer: z.strictObject({
      account,
      debit,
      fee: money.meta({ description: "In the currency of the bank's tariff." }),
      rate: z
        .strictObject({
          from: currency,
          to: currency,
          rate: z.string().regex(/^\d{1,12}(\.\d{1,12})?$/),
          source: text(70),
        })
        .optional(),
      fundsAvailable: z.boolean(),
      executionDate: day.optional().meta({
        description:
          "The day on which the payment is executed if the customer authorises it now, after cut-offs and holidays; the customer is shown it.",
      }),
      ownLimit: money.optional(),
      refusal: refusal.optional(),
    }),
    problems: ["customer-blocked", "unknown-customer", "unknown-account"],
    deadlineMs: 2_000,
    safe: true,
  },
  submitPayment: {
    method: "PUT",
    path: "/payments/{paymentId}",
    summary:
      "Executes the payment once, however often it is sent; another body under the same id is a conflict",
    body: z.strictObject({ customerId, order: paymentOrder, debit, authorisedAt: instant }),
    answer: paymentProgress,
    problems: ["conflict"],
    deadlineMs: 5_000,
    safe: false,
  },
  getPayment: {
    method: "GET",
    path: "/payments/{paymentId}",
    summary: "How far a payment has come",
    answer: paymentProgress,
    problems: ["unknown-payment"],
    deadlineMs: 2_000,
    safe: true,
  },
  listChanges: {
    method: "GET",
    path: "/payments/changes",
    summary: "Payments that have changed since a position, in the order of their changes",
    query: z.strictObject({
      after: position
        .optional()
        .meta({ description: "The `next` of an earlier page; absent: from the beginning." }),
      limit: z.coerce.number().int().min(1).max(changesLimit).optional(),
    }),
    answer: z.strictObject({
      changes: z.array(paymentProgress).max(changesLimit),
      next: position,
    }),
    // One that Drawbridge cannot use does not keep the others from being read.
    read: z.strictObject({ changes: z.array(z.unknown()).max(changesLimit), next: position }),
    problems: ["expired-cursor"],
    deadlineMs: 5_000,
    safe: true,
  },
  getLimits: {
    method: "GET",
    path: "/customers/{customerId}/limits",
    summary: "What the bank's own channels allow the customer, and how much of it is used today",
    answer: z.strictObject({
      onePayment: money.optional(),
      day: money,
      usedToday: money,
    }),
    problems: ["customer-blocked", "unknown-customer"],
    deadlineMs: 2_000,
    safe: true,
  },
} as const satisfies Record<string, Operation>;

type Operation = {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** What Drawbridge reads it by, where it then reads each of its parts by itself. */
  readonly read?: z.ZodType;
  /** Besides those that any operation may be answered with. */
  readonly problems: readonly ProblemType[];
  readonly deadlineMs: number;
  /** Whether it may be sent again without asking first. */
  readonly safe: boolean;
};
export type OperationName = keyof typeof operations;

/** A schema of each operation, compiled: a page of 100 entries is read in two fifths of the time. */
export function compileReaders(schemaOf: (operation: Operation) => z.ZodType) {
  const all = Object.entries<Operation>(operations);
  const compiled = all.map(([name, operation]) => [name, z.compile(schemaOf(operation))] as const);
  return Object.fromEntries(compiled) as Record<OperationName, z.ZodType>;
}

export type AnswerOf<Name extends OperationName> = (typeof operations)[Name] extends {
  readonly read: infer Read extends z.ZodType;
}
  ? z.output<Read>
  : z.output<(typeof operations)[Name]["answer"]>;
/** Decoded, as it was sent with a request. */
export type BodyOf<Name extends OperationName> = (typeof operations)[Name] extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.output<Body>
  : undefined;
export type QueryOf<Name extends OperationName> = (typeof operations)[Name] extends {
  readonly query: infer Query extends z.ZodType;
}
  ? z.output<Query>
  : undefined;
