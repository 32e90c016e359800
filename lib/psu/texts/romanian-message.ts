import { spacedIban } from "@/lib/domain/iban";
import type { CodePurpose, CodeWording } from "@/lib/domain/sca/code-message";
import { day, money, quotedInMessage } from "./formats";
import { counted, formats } from "./romanian-formats";

/** The text message with a code. */
export const romanianMessage: CodeWording = ({ code, tppName, purpose }) =>
  `${code} este codul ${whatFor(purpose, quotedInMessage(formats, tppName))}. Nu îl spuneți nimănui.`;

function whatFor(purpose: CodePurpose, tpp: string): string {
  switch (purpose.kind) {
    case "AIS": {
      const accounts = counted(purpose.accounts, { one: "1 cont", many: "conturi" });
      const until =
        purpose.until === undefined ? "o singură dată" : `până la ${day(formats, purpose.until)}`;
      return `cu care permiteți ca ${tpp} să consulte ${accounts} ${until}`;
    }
    case "PIIS": {
      const until = purpose.until === undefined ? "" : `, până la ${day(formats, purpose.until)}`;
      return `cu care permiteți ca ${tpp} să verifice dacă în contul ${spacedIban(purpose.iban)} sunt destui bani${until}`;
    }
    case "PIS": {
      const { amount, creditor } = purpose;
      return `pentru a plăti ${money(formats, amount)} către ${quotedInMessage(formats, creditor.name)}, ${creditor.iban}, la cererea ${tpp}`;
    }
  }
}
