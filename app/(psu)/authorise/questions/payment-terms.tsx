import { Detail } from "@/components/detail";
import { Term, Terms } from "@/components/terms";
import type { Texts } from "@/lib/psu/texts/texts";
import type { PaymentView } from "@/lib/psu/view";
import { AccountLine } from "./account-line";
import { CreditorTerm } from "./creditor-term";
import { TppTerm } from "./tpp-term";

type Props = { readonly texts: Texts; readonly view: PaymentView };

/** Everything that the code stands for. */
export function PaymentTerms({ texts, view }: Props) {
  const { order, account, debit, fee } = view.payment;
  const { payment: words } = texts;
  const converted = debit.amount.currency !== order.amount.currency;
  const charges = words.charges[order.chargeBearer];
  return (
    <Terms>
      <TppTerm texts={texts} tpp={view.tpp} />
      <Term label={words.amount}>
        <strong>{words.money(order.amount)}</strong>
      </Term>
      <CreditorTerm texts={texts} creditor={order.creditor} />
      {order.remittance !== undefined && (
        <Term label={words.message}>
          <bdi>{order.remittance}</bdi>
        </Term>
      )}
      {order.endToEndId !== undefined && (
        <Term label={words.reference}>
          <bdi>{order.endToEndId}</bdi>
        </Term>
      )}
      <Term label={words.from}>
        <AccountLine account={account} />
      </Term>
      {converted && <Term label={words.debited}>{words.converted(debit.amount)}</Term>}
      <Term label={words.fees}>
        {fee.minorUnits === 0n ? words.noFee : words.fee(fee, debit.fee)}
        {charges !== undefined && <Detail>{charges}</Detail>}
      </Term>
      <Term label={words.execution}>{words.executed[order.product]}</Term>
    </Terms>
  );
}
