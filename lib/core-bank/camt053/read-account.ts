import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Currency } from "@/lib/domain/money";
import type { Dialect } from "./dialect";
import { bicOf, ibanOf } from "./identification";
import { firstCharacters } from "./remittance";
import type { StatementAccount } from "./statement";
import { refuse } from "./statement-error";
import type { XmlElement } from "./xml-element";
import { find, findText, need } from "./xml-path";

/** ExternalCashAccountType1Code: what is neither savings nor a loan is an account to pay from. */
const KINDS: Readonly<Record<string, "savings" | "loan">> = { SVGS: "savings", LOAN: "loan" };

export function readAccount(statement: XmlElement, dialect: Dialect): StatementAccount {
  const account = need(statement, "Acct");
  const type = findText(account, 4, "Tp", "Cd");
  return {
    iban: ibanOf(need(account, "Id", "IBAN")),
    currency: currencyOf(statement, account),
    bic: bicOf(find(account, "Svcr"), dialect) ?? aspspProfile.bic,
    name: findText(account, 70, "Nm") ?? "Imported account",
    product: firstCharacters(findText(account, 35, "Tp", "Prtry") ?? "Imported account", 35),
    kind: (type === undefined ? undefined : KINDS[type]) ?? "current",
  };
}

/** `Acct/Ccy` is optional: then the first balance says it, and everything else must agree. */
function currencyOf(statement: XmlElement, account: XmlElement): Currency {
  const own = find(account, "Ccy");
  const balance = statement.children.find(({ name }) => name === "Bal");
  const amount = balance && need(balance, "Amt");
  const text = own?.text ?? amount?.attributes["Ccy"];
  if (text !== undefined && /^[A-Z]{3}$/.test(text)) return text as Currency;
  return refuse(own ?? amount ?? account, "the currency is missing or no code of three letters");
}
