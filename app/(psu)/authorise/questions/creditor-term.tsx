import { AccountText } from "@/components/account-text";
import { Detail } from "@/components/detail";
import { Term } from "@/components/terms";
import type { Creditor, CreditorAddress } from "@/lib/domain/payment/payment";
import type { PaymentTexts } from "@/lib/psu/texts/confirm-texts";

type Props = { readonly words: PaymentTexts; readonly creditor: Creditor };

/** Who is paid, as far as the order names the payee. */
export function CreditorTerm({ words, creditor }: Props) {
  const { name, iban, currency, agent, address } = creditor;
  return (
    <Term label={words.payee}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <br />
      <AccountText iban={iban} currency={currency} />
      {agent !== undefined && <Detail>{words.bic(agent)}</Detail>}
      {address !== undefined && <Detail>{words.address(linesOf(address), address.country)}</Detail>}
    </Term>
  );
}

function linesOf({ streetName, buildingNumber, postCode, townName }: CreditorAddress) {
  const together = (...parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined).join(" ");
  return [together(streetName, buildingNumber), together(postCode, townName)].filter(
    (line) => line !== "",
  );
}
