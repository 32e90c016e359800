import { type Currency, parseAmount } from "@/lib/domain/money";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { need } from "./xml-path";

/** Zeros after the second digit of the fraction say nothing; ISO 20022 allows five digits. */
const DECIMAL = /^(\d{1,14})(?:\.(\d{1,2})0*)?$/;

/** Minor units of an `Amt` in the account's currency. */
export function amountIn(currency: Currency, element: XmlElement): bigint {
  const own = element.attributes["Ccy"];
  if (own === undefined) refuse(element, "the attribute Ccy is missing");
  if (own !== currency) refuse(element, `is in ${own}, the account is in ${currency}`);
  return decimalOf(element);
}

/** An amount that names no currency, as in a summary. */
export function decimalOf(element: XmlElement): bigint {
  const [, whole, fraction = "0"] = DECIMAL.exec(element.text) ?? [];
  const minor = whole === undefined ? undefined : parseAmount(`${whole}.${fraction}`);
  return minor ?? refuse(element, "is no amount of at most two fraction digits");
}

/** The `Amt` of this element with the sign its `CdtDbtInd` gives it. */
export function signedAmount(element: XmlElement, currency: Currency): bigint {
  const minor = amountIn(currency, need(element, "Amt"));
  return isCredit(need(element, "CdtDbtInd")) ? minor : -minor;
}

export function isCredit(indicator: XmlElement): boolean {
  if (indicator.text === "CRDT") return true;
  return indicator.text === "DBIT" ? false : refuse(indicator, "is neither CRDT nor DBIT");
}
