import { isValidIBAN } from "ibantools";
import type { Iban } from "@/lib/domain/iban";
import type { Dialect } from "./dialect";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { find } from "./xml-path";

/** BICFIDec2014Identifier, which takes in the older BICIdentifier. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

export function ibanOf(element: XmlElement): Iban {
  return isValidIBAN(element.text) ? (element.text as Iban) : refuse(element, "is no valid IBAN");
}

/** The BIC of an agent or servicer, if it has one: a bank may be named in another way. */
export function bicOf(agent: XmlElement | undefined, { bic }: Dialect): string | undefined {
  const element = agent && find(agent, "FinInstnId", bic);
  if (element === undefined) return undefined;
  return BIC.test(element.text) ? element.text : refuse(element, "is no valid BIC");
}
