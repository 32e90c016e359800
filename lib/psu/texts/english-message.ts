import { spacedIban } from "@/lib/domain/iban";
import { formatAmount } from "@/lib/domain/money";
import type { CodePurpose, CodeWording } from "@/lib/domain/sca/code-message";
import { formats } from "./english-formats";
import { day, quotedInMessage } from "./formats";

/** The text message with a code. */
export const englishMessage: CodeWording = ({ code, tppName, purpose }) =>
  `${code} is your code to ${whatFor(purpose, quotedInMessage(formats, tppName))}. Never tell it to anybody.`;

function whatFor(purpose: CodePurpose, tpp: string): string {
  switch (purpose.kind) {
    case "AIS": {
      const accounts = purpose.accounts === 1 ? "1 account" : `${purpose.accounts} accounts`;
      const until = purpose.until === undefined ? "once" : `until ${day(formats, purpose.until)}`;
      return `let ${tpp} read ${accounts} ${until}`;
    }
    case "PIIS": {
      const until = purpose.until === undefined ? "" : ` until ${day(formats, purpose.until)}`;
      return `let ${tpp} ask whether ${spacedIban(purpose.iban)} has enough funds${until}`;
    }
    case "PIS": {
      const { amount, creditor } = purpose;
      const sum = `${formatAmount(amount.minorUnits)} ${amount.currency}`;
      return `pay ${sum} to ${quotedInMessage(formats, creditor.name)}, ${creditor.iban}, asked by ${tpp}`;
    }
  }
}
