import { Choice } from "@/components/choice";
import type { OfferedAccount } from "@/lib/domain/sca/offer-accounts";
import type { Texts } from "@/lib/psu/texts/texts";
import { AccountLine } from "./account-line";

type Props = {
  readonly texts: Texts;
  readonly id: string;
  readonly offered: OfferedAccount;
  readonly checked: boolean;
};

/** One account to tick. The label holds name, IBAN and currency; the rest is description. */
export function AccountChoice({ texts, id, offered, checked }: Props) {
  const { account } = offered;
  const blocked = account.status === "blocked";
  return (
    <Choice
      id={id}
      name="account"
      value={account.id}
      checked={checked}
      tag={blocked ? texts.accounts.blocked : undefined}
    >
      <AccountLine account={account} />
    </Choice>
  );
}
