import type { Counterparty } from "@/lib/domain/account-access/bank-account";
import type { Iban } from "@/lib/domain/iban";
import type { Dialect } from "./dialect";
import { bicOf, ibanOf } from "./identification";
import { firstCharacters } from "./remittance";
import type { XmlElement } from "./xml-element";
import { find, findText } from "./xml-path";

type Side = "Dbtr" | "Cdtr";
type Direction = { readonly isCredit: boolean; readonly isReversal: boolean };

/** The longest name the ledger keeps, and `creditorName` has. */
const NAME_CHARACTERS = 70;

/**
 * The other side of a transaction. One's own account tells which side that is; without it, the sign
 * does. The parties of a reversal keep the roles of the payment that is reversed (ISO 20022,
 * `RvslInd`), so there it is the other way round.
 */
export function counterpartyOf(
  transaction: XmlElement,
  own: Iban,
  { isCredit, isReversal }: Direction,
  dialect: Dialect,
): Counterparty {
  const bySign: Side = isCredit === isReversal ? "Cdtr" : "Dbtr";
  const sides: readonly Side[] = ["Dbtr", "Cdtr"];
  const ours = sides.filter((side) => accountOf(transaction, side) === own);
  const side = ours.length === 1 ? (ours[0] === "Dbtr" ? "Cdtr" : "Dbtr") : bySign;
  const party = find(transaction, "RltdPties", side);
  const name = party && findText(party, 140, ...dialect.partyName);
  const iban = accountOf(transaction, side);
  const bic = bicOf(find(transaction, "RltdAgts", `${side}Agt`), dialect);
  return {
    ...(name !== undefined && { name: firstCharacters(name, NAME_CHARACTERS) }),
    ...(iban !== undefined && { iban }),
    ...(bic !== undefined && { bic }),
  };
}

function accountOf(transaction: XmlElement, side: Side): Iban | undefined {
  const iban = find(transaction, "RltdPties", `${side}Acct`, "Id", "IBAN");
  return iban && ibanOf(iban);
}
