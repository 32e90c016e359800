import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { find, need } from "./xml-path";

const CODE = /^[A-Z]{4}$/;

/**
 * `PMNT-ICDT-ESCT`. A bank may use a proprietary code alone; ISO's own code set then has
 * miscellaneous credit and debit operations (MCOP, MDOP) with the sub-family OTHR.
 */
export function bankTransactionCodeOf(
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
