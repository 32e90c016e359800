import type { XmlElement } from "./xml-element";
import { all, find, findText, textOf } from "./xml-path";

/** The longest `remittanceInformationUnstructured`. */
const CHARACTERS_MAX = 140;

/**
 * What the payment was for, as far as 140 characters go: free text and creditor reference, else what
 * the bank writes about the transaction, else about the entry.
 */
export function remittanceOf(
  entry: XmlElement,
  transaction: XmlElement | undefined,
): string | undefined {
  const information = transaction && find(transaction, "RmtInf");
  const free = information ? all(information, "Ustrd").map((text) => textOf(text, 140)) : [];
  const structured = information ? all(information, "Strd") : [];
  const references = structured.flatMap(
    (element) => findText(element, 35, "CdtrRefInf", "Ref") ?? [],
  );
  const told = [...free, ...references.filter((reference) => !free.join(" ").includes(reference))];
  const text =
    told.length > 0
      ? told.join(" ")
      : ((transaction && findText(transaction, 500, "AddtlTxInf")) ??
        findText(entry, 500, "AddtlNtryInf"));
  return text === undefined ? undefined : firstCharacters(text, CHARACTERS_MAX);
}

/** Whole characters, as PostgreSQL counts them: half a surrogate pair is none. */
export function firstCharacters(text: string, max: number): string {
  return [...text].slice(0, max).join("").trim();
}
