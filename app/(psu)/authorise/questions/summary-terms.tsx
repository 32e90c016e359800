import { AccountList } from "@/components/account-text";
import { Detail } from "@/components/detail";
import { Term, Terms } from "@/components/terms";
import type { AccessRights } from "@/lib/domain/consent/access-request";
import { pagePath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { SummaryView } from "@/lib/psu/view";
import { AccountLine } from "./account-line";
import { TppTerm } from "./tpp-term";

type Props = { readonly texts: Texts; readonly view: SummaryView };

/** Who gets what of which accounts, until when and how often. */
export function SummaryTerms({ texts, view }: Props) {
  const { uid } = view;
  const { accounts, rights, consent, ...limits } = view.summary;
  const { summary: words } = texts;
  const recurring = consent.recurringIndicator;
  return (
    <Terms>
      <TppTerm texts={texts} tpp={view.tpp} />
      <Term label={words.data}>
        {words.dataIn(rights)}
        {rights.transactions && (
          <Detail>{words.transactions(limits.historyDays, limits.unlimitedHistoryMinutes)}</Detail>
        )}
      </Term>
      <Term label={words.accounts}>
        <AccountList>
          {accounts.map(({ account, rights: own }) => (
            <li key={account.id}>
              <AccountLine account={account} />
              {!sameRights(own, rights) && <Detail>{words.onlyData(own)}</Detail>}
            </li>
          ))}
        </AccountList>
        <a href={pagePath(uid, "accounts")}>{words.change}</a>
      </Term>
      <Term label={words.until}>
        {recurring ? words.untilDay(consent.validUntil) : words.untilOneOff(limits.oneOffMinutes)}
      </Term>
      <Term label={words.howOften}>
        {recurring
          ? words.perDay(texts.quoted(view.tpp.name), consent.frequencyPerDay)
          : words.oneOff(texts.quoted(view.tpp.name))}
      </Term>
    </Terms>
  );
}

function sameRights(one: AccessRights, other: AccessRights): boolean {
  return (
    one.balances === other.balances &&
    one.transactions === other.transactions &&
    one.ownerName === other.ownerName
  );
}
