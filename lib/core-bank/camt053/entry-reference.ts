import { createHash } from "node:crypto";
import type { EntryDraft } from "./read-entry";
import type { StatementEntry } from "./statement";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";

/**
 * Gives every entry the reference it is known by. ISO 20022 leaves it optional: without one it is
 * made from what the entry says and from how many on its day said the same before it, so that
 * another statement that holds the day makes the same one.
 */
export function withReferences(drafts: readonly EntryDraft[]): readonly StatementEntry[] {
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
  const told = [day, String(amountMinor), name, iban, bic, remittance, endToEndId];
  return JSON.stringify([...told, bankTransactionCode]);
}

/** Two entries under one reference could not be told apart when the next statement comes. */
export function checkReferencesDiffer(entries: readonly StatementEntry[]): void {
  const seen = new Map<string, XmlElement>();
  for (const { place, reference } of entries) {
    const first = seen.get(reference);
    if (first) refuse(place, `has the entry reference ${reference} of line ${first.line} again`);
    seen.set(reference, place);
  }
}
