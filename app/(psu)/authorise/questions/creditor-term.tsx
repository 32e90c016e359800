import { AccountText } from "@/components/account-text";
import { Detail } from "@/components/detail";
import { Term } from "@/components/terms";
import type { Creditor, CreditorAddress } from "@/lib/domain/payment/payment";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly creditor: Creditor };

/** Who is paid, as far as the order names the payee. */
export function CreditorTerm({ texts: { quoted, payment: words }, creditor }: Props) {
  const { name, iban, currency, agent, address } = creditor;
  return (
    <Term label={words.payee}>
      <strong>
        <bdi>{quoted(name)}</bdi>
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
