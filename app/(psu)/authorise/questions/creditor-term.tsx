import { IbanText } from "@/components/iban-text";
import type { Creditor, CreditorAddress } from "@/lib/domain/payment/payment";
import type { PaymentTexts } from "@/lib/psu/texts/confirm-texts";
import { Term } from "./term";

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
      <IbanText iban={iban} />
      {currency !== undefined && (
        <>
          {" "}
          <span className="currency">{currency}</span>
        </>
      )}
      {agent !== undefined && <span className="detail">{words.bic(agent)}</span>}
      {address !== undefined && (
        <span className="detail">{words.address(linesOf(address), address.country)}</span>
      )}
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
