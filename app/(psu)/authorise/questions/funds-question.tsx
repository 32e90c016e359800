import { Detail } from "@/components/detail";
import { Lead } from "@/components/lead";
import { Term, Terms } from "@/components/terms";
import type { Texts } from "@/lib/psu/texts/texts";
import type { FundsView } from "@/lib/psu/view";
import { AccountLine } from "./account-line";
import { CodePanel } from "./code-panel";
import { Question } from "./question";
import { TppTerm } from "./tpp-term";

type Props = { readonly texts: Texts; readonly view: FundsView };

/** May this card's issuer ask whether there is enough? The account is the one that it has named. */
export function FundsQuestion({ texts, view }: Props) {
  const { funds: words } = texts;
  const tpp = texts.quoted(view.tpp.name);
  const { account, cardExpiryDate } = view.funds;
  return (
    <Question texts={texts} frame={view} heading={words.heading(tpp)} step={2}>
      <Terms>
        <Term label={words.account}>
          <AccountLine account={account} />
        </Term>
        <TppTerm texts={texts} tpp={view.tpp} label={words.issuer} />
        <Term label={words.card}>
          <Card texts={texts} view={view} />
        </Term>
        <Term label={words.until}>
          {cardExpiryDate === undefined ? words.untilEnded : words.untilDay(cardExpiryDate)}
        </Term>
      </Terms>
      <Lead>{words.consequences(tpp, view.bankName)}</Lead>
      <CodePanel texts={texts} view={view} />
    </Question>
  );
}

/** What the issuer says of the card, each piece on a line of its own. */
function Card({ texts: { funds: words }, view }: Props) {
  const { cardEnding, cardInformation, registrationInformation } = view.funds;
  const ending = cardEnding === undefined ? undefined : words.cardEnding(cardEnding);
  const said = [ending, cardInformation, registrationInformation];
  const [first = words.noCard, ...more] = new Set(said.filter((part) => part !== undefined));
  return (
    <>
      {first}
      {more.map((part) => (
        <Detail key={part}>{part}</Detail>
      ))}
    </>
  );
}
