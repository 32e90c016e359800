import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { AuthorityReport, WriteReport } from "@/lib/domain/tpp-blocks";
import { staffTextsFor } from "./texts/texts-for";

type Bank = Pick<AspspProfile, "name" | "bic" | "country" | "timeZone" | "defaultLanguage">;

/** Writes the report to the competent authority (PSD2 art. 68(6)), in the bank's own language. Names no person of the bank. */
export function authorityReport(bank: Bank): WriteReport {
  return ({ request, approval, tpp, affected, inForce }) => {
    const texts = staffTextsFor(bank.defaultLanguage);
    const { report: words, bases, affected: counted } = texts.tpps;
    const { action, tppId, basis, reason, secrecy } = request;
    const at = (instant: Date) => texts.instant(instant, bank.timeZone);
    const told =
      secrecy === undefined
        ? words.told
        : words.noticeWithheld(words.grounds[secrecy.ground], secrecy.reason);
    const { blockedAt = approval.at, until } = inForce ?? {};
    const end = until === undefined ? words.noEnd : at(until);
    return {
      language: bank.defaultLanguage,
      heading: words.heading[action],
      lines: [
        { label: words.bank, text: `${bank.name}, ${bank.bic}, ${bank.country}` },
        { label: words.reference, text: request.id },
        { label: words.tpp, text: `${tpp?.name ?? words.unknownTpp}, ${tppId}` },
        ...(tpp === undefined
          ? []
          : [{ label: words.authority, text: `${tpp.authorityName}, ${tpp.authorityId}` }]),
        { label: words.basis, text: bases[basis] },
        { label: words.facts, text: reason },
        { label: words.from, text: at(blockedAt) },
        ...(action === "block" ? [{ label: words.until, text: end }] : []),
        { label: words.affected, text: counted(affected.permissions, affected.psus) },
        { label: words.measures, text: words.measure[action] },
        { label: words.customers, text: told },
        { label: words.made, text: at(approval.at) },
      ],
    };
  };
}

/** The same as lines of text. */
export function reportAsText({ heading, lines }: AuthorityReport): string {
  const parts = lines.map(({ label, text }) => `${label}:\n${text}\n`);
  return [`${heading}\n`, ...parts].join("\n");
}
