import type { Iban } from "@/lib/domain/iban";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import { signedAmount } from "./amount";
import { bankTransactionCodeOf } from "./bank-transaction-code";
import { counterpartyOf } from "./counterparty";
import { dayOf } from "./day";
import type { Dialect } from "./dialect";
import { amountsOfTransactions, transactionsOf } from "./read-transactions";
import { remittanceOf } from "./remittance";
import type { StatementEntry } from "./statement";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { find, findText, need } from "./xml-path";

/** An entry that may have no reference of its own yet. */
export type EntryDraft = Omit<StatementEntry, "reference"> & {
  readonly reference: string | undefined;
};

/** One `Ntry`: what it adds to the books, and the entries it stands for. */
export type ReadEntry = {
  readonly place: XmlElement;
  readonly status: StatementEntry["status"] | undefined;
  readonly amountMinor: bigint;
  readonly drafts: readonly EntryDraft[];
};

export type EntryContext = {
  readonly dialect: Dialect;
  readonly iban: Iban;
  readonly currency: Currency;
  /** On which a pending entry without a date was known. */
  readonly closingDay: IsoDate;
};

/** `INFO` is on no account's books, `FUTR` not yet. */
const STATUSES = { BOOK: "booked", PDNG: "pending", INFO: undefined, FUTR: undefined } as const;

export function readEntry(place: XmlElement, context: EntryContext): ReadEntry {
  const amountMinor = signedAmount(place, context.currency);
  const status = statusOf(place, context.dialect);
  need(place, "BkTxCd");
  if (status === undefined) return { place, status, amountMinor, drafts: [] };
  const parts = partsOf(place, amountMinor, context).filter((part) => part.amountMinor !== 0n);
  const dates = datesOf(place, status, context.closingDay);
  const drafts = parts.map((part) => ({ status, ...dates, ...draftOf(place, part, context) }));
  return { place, status, amountMinor, drafts };
}

function statusOf(
  entry: XmlElement,
  { statusCode }: Dialect,
): StatementEntry["status"] | undefined {
  const code = need(entry, ...statusCode);
  if (!Object.hasOwn(STATUSES, code.text)) refuse(code, "is no status of an entry");
  return STATUSES[code.text as keyof typeof STATUSES];
}

function datesOf(entry: XmlElement, status: StatementEntry["status"], closingDay: IsoDate) {
  const booking = status === "booked" ? need(entry, "BookgDt") : find(entry, "BookgDt");
  const value = find(entry, "ValDt");
  return { day: booking ? dayOf(booking) : closingDay, valueOn: value && dayOf(value) };
}

type Part = {
  readonly amountMinor: bigint;
  readonly transaction: XmlElement | undefined;
  readonly reference: string | undefined;
};

/**
 * A batch becomes one part for each transaction when their amounts are told and add up; else the
 * entry stays whole, and then a single transaction alone can say who paid and why.
 */
function partsOf(entry: XmlElement, amountMinor: bigint, context: EntryContext): readonly Part[] {
  const own = findText(entry, 35, "AcctSvcrRef") ?? findText(entry, 35, "NtryRef");
  const transactions = transactionsOf(entry);
  const [only] = transactions;
  if (only === undefined || transactions.length === 1) {
    const reference = own ?? (only && findText(only, 35, "Refs", "AcctSvcrRef"));
    return [{ amountMinor, transaction: only, reference }];
  }
  const amounts = amountsOfTransactions(transactions, amountMinor, context.currency);
  if (amounts === undefined) return [{ amountMinor, transaction: undefined, reference: own }];
  const references = referencesOf(transactions, own);
  return transactions.map((transaction, index) => ({
    amountMinor: amounts[index] ?? 0n,
    transaction,
    reference: references[index],
  }));
}

/** Their own where each has another one; else that of the entry, counted. */
function referencesOf(
  transactions: readonly XmlElement[],
  entry: string | undefined,
): readonly (string | undefined)[] {
  const own = transactions.map((transaction) => findText(transaction, 35, "Refs", "AcctSvcrRef"));
  if (!own.includes(undefined) && new Set(own).size === own.length) return own;
  const counted = transactions.map((_, index) => `${entry}/${index + 1}`);
  return counted.map((text) => (entry === undefined || text.length > 35 ? undefined : text));
}

function draftOf(place: XmlElement, part: Part, { dialect, iban }: EntryContext) {
  const { amountMinor, transaction, reference } = part;
  const credit = amountMinor > 0n;
  const direction = { isCredit: credit, isReversal: isReversal(place) };
  const endToEndId = transaction && findText(transaction, 35, "Refs", "EndToEndId");
  return {
    place: transaction ?? place,
    reference,
    amountMinor,
    counterparty: transaction ? counterpartyOf(transaction, iban, direction, dialect) : {},
    remittance: remittanceOf(place, transaction),
    // What a payer writes who has no reference (EPC rulebooks).
    endToEndId: endToEndId === "NOTPROVIDED" ? undefined : endToEndId,
    bankTransactionCode: bankTransactionCodeOf(place, transaction, credit),
  };
}

/** Its `CdtDbtInd` is that of the reversal itself, so it changes no sign. */
function isReversal(entry: XmlElement): boolean {
  const indicator = find(entry, "RvslInd");
  if (indicator === undefined || ["false", "0"].includes(indicator.text)) return false;
  return ["true", "1"].includes(indicator.text) || refuse(indicator, "is neither true nor false");
}
