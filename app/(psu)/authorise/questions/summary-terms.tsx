import type { AccessRights } from "@/lib/domain/consent/access-request";
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
    <dl className="terms">
      <TppTerm texts={texts} tpp={view.tpp} />
      <dt>{words.data}</dt>
      <dd>
        {words.dataIn(rights)}
        {rights.transactions && (
          <span className="detail">
            {words.transactions(limits.historyDays, limits.unlimitedHistoryMinutes)}
          </span>
        )}
      </dd>
      <dt>{words.accounts}</dt>
      <dd>
        <ul className="accounts">
          {accounts.map(({ account, rights: own }) => (
            <li key={account.id}>
              <AccountLine account={account} />
              {!sameRights(own, rights) && <span className="detail">{words.onlyData(own)}</span>}
            </li>
          ))}
        </ul>
        <a href={`/authorise/${uid}?question=accounts`}>{words.change}</a>
      </dd>
      <dt>{words.until}</dt>
      <dd>
        {recurring ? words.untilDay(consent.validUntil) : words.untilOneOff(limits.oneOffMinutes)}
      </dd>
      <dt>{words.howOften}</dt>
      <dd>
        {recurring
          ? words.perDay(view.tpp.name, consent.frequencyPerDay)
          : words.oneOff(view.tpp.name)}
      </dd>
    </dl>
  );
}

function sameRights(one: AccessRights, other: AccessRights): boolean {
  return (
    one.balances === other.balances &&
    one.transactions === other.transactions &&
    one.ownerName === other.ownerName
  );
}
