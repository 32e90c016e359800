import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import {
  listsOf,
  type TransactionsAsked,
  type TransactionsPage,
  type TransactionView,
} from "@/lib/domain/account-access";
import {
  type BatchMember,
  type StandingOrder,
  standingOrderFrequencies,
  type Transaction,
  type TransactionDetails,
} from "@/lib/domain/accounts";
import { CORE_BANK_ID_CHARACTERS_MAX } from "@/lib/domain/core-bank";
import type { ReportCursor, TransactionId } from "@/lib/domain/values";
import { secretsIn } from "@/lib/secrets";
import { replyOf, type SchemaContext, type Xs2aPorts } from "../declaration";
import { orMissing } from "../parse";
import { balanceSent, toBalance, toReference } from "./accounts";
import {
  accountReferenceSent,
  amountSent,
  link,
  readBy,
  shortened,
  shownAs,
  toAmount,
} from "./common";
import { isoDate } from "./consents";

const standingOrderDetails = z.strictObject({
  startDate: z.iso.date(),
  endDate: z.iso.date().optional(),
  frequency: z.enum(standingOrderFrequencies),
  executionRule: z.enum(["following", "preceding"]).optional(),
  withinAMonthFlag: z.boolean().optional(),
  monthsOfExecution: z
    .array(z.string().regex(/^([1-9]|1[0-2])$/))
    .max(11)
    .optional(),
  multiplicator: z.int().optional(),
  dayOfExecution: z
    .string()
    .regex(/^([1-9]|[12]\d|3[01])$/)
    .optional(),
  limitAmount: amountSent.optional(),
});

const structuredSent = (max: number) =>
  z.strictObject({
    reference: z.string().max(max),
    referenceType: z.string().max(max).optional(),
    referenceIssuer: z.string().max(max).optional(),
  });

const partySent = {
  mandateId: z.string().max(35).optional(),
  checkId: z.string().max(35).optional(),
  creditorId: z.string().max(35).optional(),
  creditorName: z.string().max(70).optional(),
  creditorAccount: accountReferenceSent.optional(),
  creditorAgent: z.string().max(11).optional(),
  ultimateCreditor: z.string().max(70).optional(),
  debtorName: z.string().max(70).optional(),
  debtorAccount: accountReferenceSent.optional(),
  debtorAgent: z.string().max(11).optional(),
  ultimateDebtor: z.string().max(70).optional(),
  endToEndId: z.string().max(35).optional(),
  transactionAmount: amountSent,
  remittanceInformationUnstructured: z.string().max(140).optional(),
  remittanceInformationUnstructuredArray: z.array(z.string().max(140)).optional(),
  remittanceInformationStructured: structuredSent(35).optional(),
  remittanceInformationStructuredArray: z.array(structuredSent(35)).optional(),
  purposeCode: z.string().max(4).optional(),
};

const currencyExchangeSent = z.strictObject({
  sourceCurrency: z.string(),
  exchangeRate: z.string(),
  unitCurrency: z.string(),
  targetCurrency: z.string(),
  quotationDate: z.iso.date(),
  contractIdentification: z.string().max(35).optional(),
});

const transactionFields = {
  ...partySent,
  remittanceInformationStructured: structuredSent(140).optional(),
  transactionId: z.string().max(CORE_BANK_ID_CHARACTERS_MAX),
  entryReference: z.string().max(35).optional(),
  batchIndicator: z.boolean().optional(),
  batchNumberOfTransactions: z.int().optional(),
  bookingDate: z.iso.date().optional(),
  valueDate: z.iso.date().optional(),
  currencyExchange: z.array(currencyExchangeSent).optional(),
  entryDetails: z.array(z.strictObject(partySent)).optional(),
  additionalInformation: z.string().max(500).optional(),
  bankTransactionCode: z.string().regex(/^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/),
  proprietaryBankTransactionCode: z.string().max(35).optional(),
  balanceAfterTransaction: balanceSent.optional(),
  additionalInformationStructured: z.strictObject({ standingOrderDetails }).optional(),
};

const transactionSent = z
  .strictObject(transactionFields)
  .meta({ id: "Transaction", description: "An entry, or a standing order." });

const entriesSent = z.array(transactionSent).optional();

const reportSent = z.strictObject({
  account: accountReferenceSent,
  transactions: z.strictObject({
    booked: entriesSent,
    pending: entriesSent,
    information: entriesSent,
    _links: z.strictObject({ account: link, next: link.optional() }),
  }),
});

const detailsSent = z.strictObject({ transactionsDetails: transactionSent });

const SEAL_BYTES = 16;

export const transactionsRead = replyOf(
  { status: 200, description: "One page of the report, newest entries first.", body: reportSent },
  (page: TransactionsPage, ports: Pick<Xs2aPorts, "links" | "cursorSecret">) => ({
    value: toReport(page, ports),
  }),
);

function toReport(
  page: TransactionsPage,
  { links, cursorSecret }: Pick<Xs2aPorts, "links" | "cursorSecret">,
) {
  const account = `${links.aisp}/accounts/${page.granted.resourceId}`;
  const { statuses, standingOrders } = listsOf[page.asked.bookingStatus];
  // A list that was asked for is there even when it is empty.
  const entriesThatAre = (status: Transaction["status"]) =>
    statuses?.some((asked) => asked === status)
      ? page.entries.filter((entry) => entry.status === status).map(toTransaction)
      : undefined;
  const next = nextCursor(page, cursorSecret);
  // What has no value is left out when it is written.
  return {
    account: toReference(page),
    transactions: {
      booked: entriesThatAre("booked"),
      pending: entriesThatAre("pending"),
      information: standingOrders ? page.standingOrders.map(toStandingOrder) : undefined,
      _links: {
        account: { href: account },
        next: next === undefined ? undefined : { href: `${account}/transactions?cursor=${next}` },
      },
    },
  };
}

export const transactionRead = replyOf(
  { status: 200, description: "The entry.", body: detailsSent },
  ({ transaction }: TransactionView) => ({
    value: { transactionsDetails: toTransaction(transaction) },
  }),
);

function nextCursor(page: TransactionsPage, secret: string) {
  if (page.next === undefined) return undefined;
  const { bookingStatus, dateFrom, reportOf: _, ...asked } = page.asked;
  if (dateFrom === undefined || bookingStatus === "information")
    throw new Error("entries were read without the day to read from");
  const last = page.entries.at(-1) ?? asked.last;
  const position = { after: page.next, ...(last && { last: { id: last.id, day: last.day } }) };
  return sealCursor({ ...asked, bookingStatus, dateFrom, ...position }, secret);
}

/** What has no value is left out when it is written: the standard knows no null. */
function toTransaction(entry: Transaction) {
  return {
    transactionId: entry.id,
    entryReference: entry.entryReference,
    endToEndId: entry.endToEndId,
    // A pending entry has no booking date yet.
    bookingDate: entry.status === "booked" ? entry.day : undefined,
    valueDate: entry.valueDate,
    transactionAmount: toAmount(entry.amount),
    remittanceInformationUnstructured: entry.remittance,
    bankTransactionCode: entry.bankTransactionCode,
    ...counterpartyOf(entry),
    ...(entry.details && detailsOf(entry, entry.details)),
  };
}

function detailsOf(entry: Transaction, details: TransactionDetails) {
  const { batch, balanceAfter } = details;
  return {
    ...partyDetailsOf({ ...entry, ...details }),
    batchIndicator: batch && true,
    batchNumberOfTransactions: batch?.count,
    currencyExchange: details.currencyExchange?.map(({ rate, contractId, ...exchange }) => ({
      ...exchange,
      exchangeRate: rate,
      contractIdentification: contractId,
    })),
    entryDetails: batch?.members?.map(toMember),
    additionalInformation: details.additionalInformation,
    proprietaryBankTransactionCode: details.proprietaryBankTransactionCode,
    balanceAfterTransaction: balanceAfter && toBalance(balanceAfter),
  };
}

function toMember(member: BatchMember) {
  return {
    endToEndId: member.endToEndId,
    transactionAmount: toAmount(member.amount),
    remittanceInformationUnstructured: member.remittance,
    ...counterpartyOf(member),
    ...partyDetailsOf(member),
  };
}

/** One structured reference has a member of its own; several are a list. */
function partyDetailsOf(entry: BatchMember) {
  const { counterparty, ultimateName, structuredRemittance: structured } = entry;
  const isDebit = entry.amount.minorUnits < 0n;
  return {
    mandateId: entry.mandateId,
    checkId: entry.checkId,
    creditorId: entry.creditorId,
    ultimateCreditor: isDebit ? counterparty.ultimateName : ultimateName,
    ultimateDebtor: isDebit ? ultimateName : counterparty.ultimateName,
    remittanceInformationUnstructuredArray: entry.remittanceLines,
    remittanceInformationStructured: structured?.length === 1 ? structured[0] : undefined,
    remittanceInformationStructuredArray: structured?.length === 1 ? undefined : structured,
    purposeCode: entry.purposeCode,
  };
}

function toStandingOrder(order: StandingOrder) {
  const { startDate, endDate, frequency, executionRule, withinAMonthFlag } = order;
  const { monthsOfExecution, multiplicator, dayOfExecution } = order;
  const limitAmount = order.limitAmount && toAmount(order.limitAmount);
  return {
    transactionId: order.id,
    transactionAmount: toAmount(order.amount),
    remittanceInformationUnstructured: order.remittance,
    bankTransactionCode: order.bankTransactionCode ?? "PMNT-ICDT-STDO",
    additionalInformationStructured: {
      standingOrderDetails: {
        ...{ startDate, endDate, frequency, executionRule, withinAMonthFlag },
        ...{ monthsOfExecution, multiplicator, dayOfExecution, limitAmount },
      },
    },
    ...counterpartyOf(order),
  };
}

/** Seen from the account holder: the creditor of what leaves, the debtor of what comes in. */
function counterpartyOf({ amount, counterparty }: Pick<Transaction, "amount" | "counterparty">) {
  const { iban, bic: agent } = counterparty;
  const account = iban === undefined ? undefined : { iban };
  const name = counterparty.name && shortened(counterparty.name, 70);
  return amount.minorUnits < 0n
    ? { creditorName: name, creditorAccount: account, creditorAgent: agent }
    : { debtorName: name, debtorAccount: account, debtorAgent: agent };
}

type TransactionsQuery = Omit<TransactionsAsked, "resourceId">;

/** A first page by its parameters, a following one by the cursor that repeats them. */
export function transactionsQuery(schemaContext: SchemaContext): z.ZodType<TransactionsQuery> {
  const [entries, following] = [entriesFrom(schemaContext), pageAfter(schemaContext)];
  const refused = notOffered(schemaContext);
  const form = z.record(z.string(), z.unknown()).transform((sent, context) => {
    if (sent["cursor"] !== undefined) return readBy(following, sent, context);
    const { bookingStatus } = sent;
    if (refused.some((status) => status === bookingStatus)) {
      const message = `${bookingStatus} is not supported`;
      const params = { code: "PARAMETER_NOT_SUPPORTED" };
      context.addIssue({ code: "custom", path: ["bookingStatus"], message, params });
      return z.NEVER;
    }
    return readBy(bookingStatus === "information" ? standingOrders : entries, sent, context);
  });
  return shownAs(form, eitherPage(bookingStatus.exclude(refused)));
}

function notOffered({ profile }: SchemaContext): ("information" | "all")[] {
  return profile.features.standingOrders ? [] : ["information", "all"];
}

const bookingStatus = z.enum(
  ["booked", "pending", "both", "information", "all"],
  orMissing("is one of booked, pending, both, information, all"),
);

const neverSupported = {
  entryReferenceFrom: refusedQuery("entryReferenceFrom"),
  deltaList: refusedQuery("deltaList"),
};

/** Standing orders have no dates: those that are sent are not looked at. */
const standingOrders = z
  .object(neverSupported)
  .transform((): TransactionsQuery => ({ bookingStatus: "information" }));

/** To a day in the future means to today. */
function entriesFrom({ today }: SchemaContext) {
  return z
    .object({
      ...neverSupported,
      bookingStatus,
      dateFrom: isoDate.refine((day) => day <= today, "lies in the future"),
      dateTo: isoDate.exactOptional(),
    })
    .refine(({ dateFrom, dateTo }) => dateTo === undefined || dateFrom <= dateTo, {
      path: ["dateTo"],
      error: "is before dateFrom",
    })
    .transform(({ entryReferenceFrom: _, deltaList: __, ...asked }): TransactionsQuery => asked);
}

function pageAfter({ cursorSecret }: SchemaContext) {
  const cursor = z.string().transform((text, issues) => {
    const found = openCursor(text, cursorSecret);
    if (found !== undefined) return found;
    issues.addIssue({ code: "custom", message: "is not a cursor of this bank" });
    return z.NEVER;
  });
  return z
    .object({ ...neverSupported, cursor })
    .transform(({ cursor: { resourceId, ...asked } }): TransactionsQuery => {
      return { ...asked, reportOf: resourceId };
    });
}

/** The parameters of a first page, and the cursor that replaces them on a following one. */
const eitherPage = (offered: z.ZodEnum) =>
  z.object({
    bookingStatus: offered
      .optional()
      .describe("Which lists the report has. Demanded unless there is a cursor."),
    dateFrom: isoDate
      .exactOptional()
      .describe(
        "The first day of the report, today at the latest. Demanded unless there is a cursor; not looked at with information.",
      ),
    dateTo: isoDate
      .exactOptional()
      .describe("The last day of the report; left out, today. Not looked at with information."),
    cursor: z
      .string()
      .optional()
      .describe("From _links.next of the page before, whose parameters it repeats."),
  });

/** A delta of the last report is not offered; ignoring the parameter would answer another request. */
function refusedQuery(name: string) {
  return z
    .unknown()
    .optional()
    .refine((value) => value === undefined, {
      error: `${name} is not supported`,
      params: { code: "PARAMETER_NOT_SUPPORTED" },
    });
}

const cursorPosition = z.strictObject({
  resourceId: z.string(),
  bookingStatus: z.enum(["booked", "pending", "both", "all"]),
  dateFrom: isoDate,
  dateTo: isoDate.exactOptional(),
  after: z.string().transform((text) => text as ReportCursor),
  /** Of the page before; a cursor of an older release has none. */
  last: z
    .strictObject({ id: z.string().transform((text) => text as TransactionId), day: isoDate })
    .exactOptional(),
});

/** Where the next page of a report starts, and the report it belongs to. */
type Cursor = z.output<typeof cursorPosition>;

/** Opaque and sealed: a page that was never offered cannot be asked for. */
export function sealCursor(cursor: z.input<typeof cursorPosition>, secrets: string): string {
  const text = Buffer.from(JSON.stringify(cursor));
  const [secret] = secretsIn(secrets);
  return Buffer.concat([sealOf(text, secret), text]).toString("base64url");
}

/** The cursor this bank sealed, or undefined for anything else. */
export function openCursor(sealed: string, secrets: string): Cursor | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= SEAL_BYTES || bytes.toString("base64url") !== sealed) return undefined;
  const text = bytes.subarray(SEAL_BYTES);
  const seal = bytes.subarray(0, SEAL_BYTES);
  const isOurs = secretsIn(secrets).some((secret) => timingSafeEqual(seal, sealOf(text, secret)));
  if (!isOurs) return undefined;
  return cursorPosition.safeParse(JSON.parse(text.toString())).data;
}

function sealOf(text: Uint8Array, secret: string): Buffer {
  return createHmac("sha256", secret)
    .update("cursor\n")
    .update(text)
    .digest()
    .subarray(0, SEAL_BYTES);
}
