import type { Currency } from "@/lib/domain/money";
import { signedAmount } from "./amount";
import { dayOf } from "./day";
import type { StatementBalance } from "./statement";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { all, find, need } from "./xml-path";

export type OpeningAndClosing = {
  readonly opening: StatementBalance;
  readonly closing: StatementBalance;
};

/**
 * The booked balances at both ends. The opening one is `OPBD` or the closing one of the statement
 * before (`PRCD`), which are the same amount; available and interim balances are read and let go.
 */
export function readBalances(statement: XmlElement, currency: Currency): OpeningAndClosing {
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
