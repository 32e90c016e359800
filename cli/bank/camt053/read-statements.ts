import { createHash } from "node:crypto";
import { isValidIBAN } from "ibantools";
import {
  type Place,
  refuse,
  type Statement,
  type StatementEntry,
} from "@/lib/core-bank/ledger/import-statements";
import type { Counterparty } from "@/lib/domain/accounts";
import {
  type Currency,
  dayIn,
  formatAmount,
  type Iban,
  type IsoDate,
  parseAmount,
  parseIsoDate,
} from "@/lib/domain/values";
import { bankProfile } from "@/lib/profile/in-force";
import {
  all,
  type Dialect,
  dialectOf,
  find,
  findText,
  need,
  parseXml,
  textOf,
  type XmlElement,
} from "./xml";

/**
 * The statements of an ISO 20022 camt.053 file (.001.02 or .001.08). Throws a StatementError with the
 * place when the file is not well formed, lacks something or does not add up.
 */
export function readStatements(bytes: Uint8Array): readonly Statement[] {
  const document = parseXml(bytes);
  const dialect = dialectOf(document);
  const message = need(document.root, "BkToCstmrStmt");
  need(message, "GrpHdr", "MsgId");
  need(message, "GrpHdr", "CreDtTm");
  checkComplete(find(message, "GrpHdr", "MsgPgntn"));
  const statements = all(message, "Stmt");
  if (statements.length === 0) refuse(message, "Stmt is missing");
  return statements.map((statement) => readStatement(statement, dialect));
}

function readStatement(place: XmlElement, dialect: Dialect): Statement {
  const id = textOf(need(place, "Id"), 35);
  checkComplete(find(place, "StmtPgntn"));
  const account = readAccount(place, dialect);
  const { iban, currency } = account;
  const balances = readBalances(place, currency);
  const context = { dialect, iban, currency, closingDay: balances.closing.day };
  const read = all(place, "Ntry").map((entry) => readEntry(entry, context));
  checkTotals(balances, read);
  checkSummary(place, read);
  const entries = withReferences(read.flatMap(({ drafts }) => drafts));
  checkReferencesDiffer(entries);
  const leftOut = read.filter(({ drafts }) => drafts.length === 0).length;
  return { place, id, account, ...balances, entries, leftOut };
}

/** Only the first page has the opening balance and only the last one the closing balance. */
function checkComplete(pagination: XmlElement | undefined): void {
  if (pagination === undefined) return;
  const page = need(pagination, "PgNb");
  const last = need(pagination, "LastPgInd");
  if (page.text !== "1" || !["true", "1"].includes(last.text)) {
    refuse(pagination, "is one page of several, and only whole statements are read");
  }
}

/** ExternalCashAccountType1Code: what is neither savings nor a loan is an account to pay from. */
const KINDS: Readonly<Record<string, "savings" | "loan">> = { SVGS: "savings", LOAN: "loan" };

function readAccount(statement: XmlElement, dialect: Dialect) {
  const account = need(statement, "Acct");
  const type = findText(account, 4, "Tp", "Cd");
  return {
    iban: ibanOf(need(account, "Id", "IBAN")),
    currency: currencyOf(statement, account),
    bic: bicOf(find(account, "Svcr"), dialect) ?? bankProfile().bic,
    name: findText(account, 70, "Nm") ?? "Imported account",
    product: firstCharacters(findText(account, 35, "Tp", "Prtry") ?? "Imported account", 35),
    kind: (type === undefined ? undefined : KINDS[type]) ?? ("current" as const),
  };
}

/** `Acct/Ccy` is optional: then the first balance says it, and everything else must agree. */
function currencyOf(statement: XmlElement, account: XmlElement): Currency {
  const own = find(account, "Ccy");
  const balance = statement.children.find(({ name }) => name === "Bal");
  const amount = balance && need(balance, "Amt");
  const text = own?.text ?? amount?.attributes.get("Ccy");
  if (text !== undefined && /^[A-Z]{3}$/.test(text)) return text as Currency;
  return refuse(own ?? amount ?? account, "the currency is missing or no code of three letters");
}

/**
 * The booked balances at both ends. The opening one is `OPBD` or the closing one of the statement
 * before (`PRCD`), which are the same amount; available and interim balances are ignored.
 */
function readBalances(statement: XmlElement, currency: Currency) {
  const found = all(statement, "Bal").map((place) => ({
    type: typeOf(place),
    place,
    amountMinor: signedAmount(place, currency),
    day: dayOf(need(place, "Dt")),
  }));
  const only = (type: string) => {
    const [balance, second] = found.filter((other) => other.type === type);
    if (second !== undefined) refuse(second.place, `is a second balance ${type}`);
    return balance;
  };
  const previous = only("PRCD");
  const opening = only("OPBD") ?? previous ?? refuse(statement, "Bal OPBD or PRCD is missing");
  const closing = only("CLBD") ?? refuse(statement, "Bal CLBD is missing");
  if (previous !== undefined && previous.amountMinor !== opening.amountMinor) {
    refuse(opening.place, "the balances OPBD and PRCD differ");
  }
  return { opening, closing };
}

/** A balance with a sub-type (`INTM` of a page, for one) is not the one at the end. */
function typeOf(balance: XmlElement): string | undefined {
  const type = find(balance, "Tp", "CdOrPrtry", "Cd");
  if (type === undefined) need(balance, "Tp", "CdOrPrtry", "Prtry");
  return find(balance, "Tp", "SubTp") === undefined ? type?.text : undefined;
}

type EntryContext = {
  readonly dialect: Dialect;
  readonly iban: Iban;
  readonly currency: Currency;
  /** On which a pending entry without a date was known. */
  readonly closingDay: IsoDate;
};

/** `INFO` is on no account's books, `FUTR` not yet. */
const STATUSES = { BOOK: "booked", PDNG: "pending", INFO: undefined, FUTR: undefined } as const;

type ReadEntry = ReturnType<typeof readEntry>;

/** What an `Ntry` adds to the books, and the entries it becomes. */
function readEntry(place: XmlElement, context: EntryContext) {
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

type Part = ReturnType<typeof partsOf>[number];

/**
 * A batch becomes one part for each transaction when their amounts are given and add up; else the entry
 * stays whole, and has a counterparty only from a single transaction.
 */
function partsOf(entry: XmlElement, amountMinor: bigint, context: EntryContext) {
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

function transactionsOf(entry: XmlElement): readonly XmlElement[] {
  return all(entry, "NtryDtls").flatMap((details) => all(details, "TxDtls"));
}

/**
 * The signed amounts of a batch's transactions, or undefined when one is not in the account's currency or
 * they do not add up to the entry: charges, for instance, are in none of them.
 */
function amountsOfTransactions(
  transactions: readonly XmlElement[],
  entryMinor: bigint,
  currency: Currency,
): readonly bigint[] | undefined {
  const amounts = transactions.flatMap((transaction) => {
    const amount = find(transaction, "Amt") ?? find(transaction, "AmtDtls", "TxAmt", "Amt");
    if (amount === undefined || amount.attributes.get("Ccy") !== currency) return [];
    const minor = amountIn(currency, amount);
    const indicator = find(transaction, "CdtDbtInd");
    return (indicator ? isCredit(indicator) : entryMinor > 0n) ? minor : -minor;
  });
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  return amounts.length === transactions.length && sum === entryMinor ? amounts : undefined;
}

type Side = "Dbtr" | "Cdtr";
type Direction = { readonly isCredit: boolean; readonly isReversal: boolean };

/** The longest name the ledger keeps, and `creditorName` has. */
const NAME_CHARACTERS = 70;

/**
 * The other side of a transaction: the one that is not the own account, or else by the sign. The parties of a
 * reversal keep the roles of the reversed payment (ISO 20022, `RvslInd`), so there the sign means the opposite.
 */
function counterpartyOf(
  transaction: XmlElement,
  own: Iban,
  { isCredit, isReversal }: Direction,
  dialect: Dialect,
): Counterparty {
  const bySign: Side = isCredit === isReversal ? "Cdtr" : "Dbtr";
  const sides: readonly Side[] = ["Dbtr", "Cdtr"];
  const ours = sides.filter((side) => accountOf(transaction, side) === own);
  const side = ours.length === 1 ? (ours[0] === "Dbtr" ? "Cdtr" : "Dbtr") : bySign;
  const party = find(transaction, "RltdPties", side);
  const name = party && findText(party, 140, ...dialect.partyName);
  const iban = accountOf(transaction, side);
  const bic = bicOf(find(transaction, "RltdAgts", `${side}Agt`), dialect);
  return {
    ...(name !== undefined && { name: firstCharacters(name, NAME_CHARACTERS) }),
    ...(iban !== undefined && { iban }),
    ...(bic !== undefined && { bic }),
  };
}

function accountOf(transaction: XmlElement, side: Side): Iban | undefined {
  const iban = find(transaction, "RltdPties", `${side}Acct`, "Id", "IBAN");
  return iban && ibanOf(iban);
}

/** BICFIDec2014Identifier, which takes in the older BICIdentifier. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

function ibanOf(element: XmlElement): Iban {
  return isValidIBAN(element.text) ? (element.text as Iban) : refuse(element, "is no valid IBAN");
}

/** The BIC of an agent or servicer, if it has one: a bank may be named in another way. */
function bicOf(agent: XmlElement | undefined, { bic }: Dialect): string | undefined {
  const element = agent && find(agent, "FinInstnId", bic);
  if (element === undefined) return undefined;
  return BIC.test(element.text) ? element.text : refuse(element, "is no valid BIC");
}

/** The longest `remittanceInformationUnstructured`. */
const REMITTANCE_CHARACTERS = 140;

/**
 * What the payment was for, as far as 140 characters go: free text and creditor reference, else what
 * the bank writes about the transaction, else about the entry.
 */
function remittanceOf(entry: XmlElement, transaction: XmlElement | undefined): string | undefined {
  const information = transaction && find(transaction, "RmtInf");
  const free = information ? all(information, "Ustrd").map((text) => textOf(text, 140)) : [];
  const structured = information ? all(information, "Strd") : [];
  const references = structured.flatMap(
    (element) => findText(element, 35, "CdtrRefInf", "Ref") ?? [],
  );
  const added = references.filter((reference) => !free.join(" ").includes(reference));
  const text =
    [...free, ...added].join(" ") ||
    ((transaction && findText(transaction, 500, "AddtlTxInf")) ??
      findText(entry, 500, "AddtlNtryInf"));
  return text === undefined ? undefined : firstCharacters(text, REMITTANCE_CHARACTERS);
}

/** Whole characters, as PostgreSQL counts them: half a surrogate pair is none. */
function firstCharacters(text: string, max: number): string {
  return [...text].slice(0, max).join("").trim();
}

const CODE = /^[A-Z]{4}$/;

/**
 * `PMNT-ICDT-ESCT`. A bank may use a proprietary code alone; ISO's own code set then has
 * miscellaneous credit and debit operations (MCOP, MDOP) with the sub-family OTHR.
 */
function bankTransactionCodeOf(
  entry: XmlElement,
  transaction: XmlElement | undefined,
  isCredit: boolean,
): string {
  const domain =
    (transaction && find(transaction, "BkTxCd", "Domn")) ?? find(need(entry, "BkTxCd"), "Domn");
  if (domain === undefined) return isCredit ? "PMNT-MCOP-OTHR" : "PMNT-MDOP-OTHR";
  const parts = [need(domain, "Cd"), need(domain, "Fmly", "Cd"), need(domain, "Fmly", "SubFmlyCd")];
  for (const part of parts) {
    if (!CODE.test(part.text)) refuse(part, "is no bank transaction code of four letters");
  }
  return parts.map(({ text }) => text).join("-");
}

/** Zeros after the second digit of the fraction say nothing; ISO 20022 allows five digits. */
const DECIMAL = /^(\d{1,14})(?:\.(\d{1,2})0*)?$/;

/** Minor units of an `Amt` in the account's currency. */
function amountIn(currency: Currency, element: XmlElement): bigint {
  const own = element.attributes.get("Ccy");
  if (own === undefined) refuse(element, "the attribute Ccy is missing");
  if (own !== currency) refuse(element, `is in ${own}, the account is in ${currency}`);
  return decimalOf(element);
}

/** An amount that names no currency, as in a summary. */
function decimalOf(element: XmlElement): bigint {
  const [, whole, fraction = "0"] = DECIMAL.exec(element.text) ?? [];
  const minor = whole === undefined ? undefined : parseAmount(`${whole}.${fraction}`);
  return minor ?? refuse(element, "is no amount of at most two fraction digits");
}

/** The `Amt` of this element with the sign its `CdtDbtInd` gives it. */
function signedAmount(element: XmlElement, currency: Currency): bigint {
  const minor = amountIn(currency, need(element, "Amt"));
  return isCredit(need(element, "CdtDbtInd")) ? minor : -minor;
}

function isCredit(indicator: XmlElement): boolean {
  if (indicator.text === "CRDT") return true;
  return indicator.text === "DBIT" ? false : refuse(indicator, "is neither CRDT nor DBIT");
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** The `Dt` or `DtTm` in this element as a day of the bank. */
function dayOf(element: XmlElement): IsoDate {
  const dateTime = find(element, "DtTm");
  if (dateTime !== undefined) return dayOfInstant(dateTime);
  const date = need(element, "Dt");
  const [, text] = DATE.exec(date.text) ?? [];
  const day = text === undefined ? undefined : parseIsoDate(text);
  return day ?? refuse(date, "is no date");
}

/** An instant falls on the bank's local day; a time without an offset is local already. */
function dayOfInstant(element: XmlElement): IsoDate {
  const [, text, time, offset] = DATE_TIME.exec(element.text) ?? [];
  const day = text === undefined ? undefined : parseIsoDate(text);
  const instant = new Date(`${day}T${time}${offset ?? "Z"}`);
  if (day === undefined || Number.isNaN(instant.getTime())) {
    return refuse(element, "is no date and time");
  }
  return offset === undefined ? day : dayIn(bankProfile().timeZone, instant);
}

type EntryDraft = ReadEntry["drafts"][number];

/**
 * Gives every entry a reference. ISO 20022 leaves it optional: without one it is made from the entry's content and
 * the number of equal entries before it on its day, so that another statement of the day makes the same one.
 */
function withReferences(drafts: readonly EntryDraft[]): readonly StatementEntry[] {
  const alike = new Map<string, number>();
  return drafts.map((draft) => {
    if (draft.reference !== undefined) return { ...draft, reference: draft.reference };
    const content = contentOf(draft);
    const count = (alike.get(content) ?? 0) + 1;
    alike.set(content, count);
    const hash = createHash("sha256").update(`${count} ${content}`).digest("hex");
    return { ...draft, reference: `CAMT${hash.slice(0, 31)}` };
  });
}

function contentOf({ day, amountMinor, counterparty, ...draft }: EntryDraft): string {
  const { name, iban, bic } = counterparty;
  const { remittance, endToEndId, bankTransactionCode } = draft;
  const amount = String(amountMinor);
  const party = [name, iban, bic];
  return JSON.stringify([day, amount, ...party, remittance, endToEndId, bankTransactionCode]);
}

/** With one reference for two entries, the next statement's could not be matched. */
function checkReferencesDiffer(entries: readonly StatementEntry[]): void {
  const seen = new Map<string, Place>();
  for (const { place, reference } of entries) {
    const first = seen.get(reference);
    if (first) refuse(place, `has the entry reference ${reference} of line ${first.line} again`);
    seen.set(reference, place);
  }
}

/** What the statement says about its own entries (`TxsSummry`, optional as all in it) must be so. */
function checkSummary(statement: XmlElement, entries: readonly ReadEntry[]): void {
  const summary = find(statement, "TxsSummry");
  if (summary === undefined) return;
  const isCreditEntry = ({ place }: ReadEntry) => isCredit(need(place, "CdtDbtInd"));
  checkCount(find(summary, "TtlNtries"), entries);
  checkCount(find(summary, "TtlCdtNtries"), entries.filter(isCreditEntry));
  checkCount(
    find(summary, "TtlDbtNtries"),
    entries.filter((entry) => !isCreditEntry(entry)),
  );
}

function checkCount(total: XmlElement | undefined, entries: readonly ReadEntry[]): void {
  if (total === undefined) return;
  const amounts = entries.map(({ amountMinor }) => amountMinor);
  const number = find(total, "NbOfNtries");
  if (number && (!/^\d{1,15}$/.test(number.text) || Number(number.text) !== amounts.length)) {
    refuse(number, `says ${number.text}, there are ${amounts.length} entries`);
  }
  const gross = amounts.reduce((all, amount) => all + absolute(amount), 0n);
  const net = amounts.reduce((all, amount) => all + amount, 0n);
  const sum = find(total, "Sum");
  if (sum) checkAmount(sum, gross);
  const netAmount = find(total, "TtlNetNtryAmt") ?? find(total, "TtlNetNtry", "Amt");
  if (netAmount) checkAmount(netAmount, absolute(net));
  const direction = find(total, "CdtDbtInd") ?? find(total, "TtlNetNtry", "CdtDbtInd");
  if (direction && net !== 0n && isCredit(direction) !== net > 0n) {
    refuse(direction, `says ${direction.text}, the entries make ${formatAmount(net)}`);
  }
}

function checkAmount(element: XmlElement, minor: bigint): void {
  if (decimalOf(element) === minor) return;
  refuse(element, `says ${element.text}, the entries make ${formatAmount(minor)}`);
}

function absolute(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}

/** Opening balance and booked entries make the closing balance, or something is missing. */
function checkTotals(
  { opening, closing }: Pick<Statement, "opening" | "closing">,
  entries: readonly ReadEntry[],
): void {
  const booked = entries.filter(({ status }) => status === "booked");
  const sum = booked.reduce((total, { amountMinor }) => total + amountMinor, opening.amountMinor);
  if (sum === closing.amountMinor) return;
  refuse(
    closing.place,
    `opening balance and booked entries make ${formatAmount(sum)}, the closing balance is ${formatAmount(closing.amountMinor)}`,
  );
}
