import { checkSummary } from "./check-summary";
import { checkTotals } from "./check-totals";
import { type Dialect, dialectOf } from "./dialect";
import { checkReferencesDiffer, withReferences } from "./entry-reference";
import { readAccount } from "./read-account";
import { readBalances } from "./read-balances";
import { readEntry } from "./read-entry";
import type { Statement } from "./statement";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { all, find, need, textOf } from "./xml-path";
import { parseXml } from "./xml-tree";

/**
 * The statements of an ISO 20022 camt.053 file (.001.02 or .001.08). Throws a StatementError with the
 * place when the file is not well formed, lacks something or does not add up: then none of it counts.
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
