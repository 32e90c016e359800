import { formatAmount } from "@/lib/domain/money";
import { decimalOf, isCredit } from "./amount";
import type { ReadEntry } from "./read-entry";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { find } from "./xml-path";

/** What the statement says about its own entries (`TxsSummry`, optional as all in it) must be so. */
export function checkSummary(statement: XmlElement, entries: readonly ReadEntry[]): void {
  const summary = find(statement, "TxsSummry");
  if (summary === undefined) return;
  const amounts = entries.map(({ amountMinor }) => amountMinor);
  const credits = entries.filter(({ place }) => isCreditEntry(place));
  const debits = entries.filter(({ place }) => !isCreditEntry(place));
  check(find(summary, "TtlNtries"), amounts);
  check(
    find(summary, "TtlCdtNtries"),
    credits.map(({ amountMinor }) => amountMinor),
  );
  check(
    find(summary, "TtlDbtNtries"),
    debits.map(({ amountMinor }) => amountMinor),
  );
}

function isCreditEntry(entry: XmlElement): boolean {
  const indicator = find(entry, "CdtDbtInd");
  return indicator !== undefined && isCredit(indicator);
}

function check(total: XmlElement | undefined, amounts: readonly bigint[]): void {
  if (total === undefined) return;
  const number = find(total, "NbOfNtries");
  if (number && (!/^\d{1,15}$/.test(number.text) || Number(number.text) !== amounts.length)) {
    refuse(number, `says ${number.text}, there are ${amounts.length} entries`);
  }
  const sum = find(total, "Sum");
  if (sum)
    checkAmount(
      sum,
      amounts.reduce((all, amount) => all + absolute(amount), 0n),
    );
  const net = amounts.reduce((all, amount) => all + amount, 0n);
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
