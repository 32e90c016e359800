import { Actions, Button, ButtonLink } from "@/components/button";
import { Choice, Choices, PostForm, TextField } from "@/components/form";
import { Warning } from "@/components/notice";
import { AccountList, AccountText, Detail, Lead, Term, Terms } from "@/components/text";
import type { Creditor, CreditorAddress } from "@/lib/domain/payment-order";
import type {
  AccountsView,
  EndView,
  FaultView,
  FundsView,
  LoginView,
  PaymentView,
  SummaryView,
  View,
} from "@/lib/psu/authorisation-view";
import { formPath, pagePath, providerPath } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/en";
import { CodePanel } from "../code-panel";
import { Alone, OnlyData, TppTerm } from "../psu-page";
import { CancelButton, faultAt, Question } from "./question";

type Props = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly path: string;
  readonly view: Exclude<View, { readonly page: "continue" }>;
};

type Shown<View> = { readonly texts: Texts; readonly view: View };

/** One address per authorisation: the page that fits. */
export function AuthorisationPage({ texts, bankName, path, view }: Props) {
  switch (view.page) {
    case "login":
    case "login-again":
    case "not-yours":
      return <LoginQuestion texts={texts} view={view} />;
    case "accounts":
      return <AccountsQuestion texts={texts} view={view} />;
    case "summary":
      return <SummaryQuestion texts={texts} view={view} />;
    case "payment":
      return <PaymentQuestion texts={texts} view={view} />;
    case "funds":
      return <FundsQuestion texts={texts} view={view} />;
    case "fault":
      return <FaultNotice texts={texts} bankName={bankName} path={path} view={view} />;
    case "unknown":
      return <Alone texts={texts} bankName={bankName} path={path} notice={texts.alone.gone} />;
    default:
      return <EndNotice texts={texts} view={view} />;
  }
}

/** The first element, asked first, and again when the session is over or somebody else's. */
function LoginQuestion({ texts, view }: Shown<LoginView>) {
  const { heading, lead } = wordsFor(texts, view);
  const Elements = view.byProvider ? ProviderLogin : PasswordLogin;
  return (
    <Question texts={texts} frame={view} heading={heading} step={1}>
      <Lead>{lead}</Lead>
      <Elements texts={texts} view={view} />
    </Question>
  );
}

function ProviderLogin({ texts, view }: Shown<LoginView>) {
  const { signIn, signInLead } = texts.approval;
  return (
    <>
      <Lead>{signInLead}</Lead>
      <Actions>
        <ButtonLink href={providerPath(view.uid)}>{signIn(view.bankName)}</ButtonLink>
        <CancelButton label={texts.frame.cancel} />
      </Actions>
    </>
  );
}

function PasswordLogin({ texts, view }: Shown<LoginView>) {
  const { login } = texts;
  return (
    <PostForm action={formPath(view.uid, "login")} token={view.tokens.login}>
      <TextField
        id="user-id"
        label={login.userId}
        fault={faultAt(texts, view, "user-id")}
        input={{
          name: "userId",
          type: "text",
          autoComplete: "username",
          autoCapitalize: "none",
          spellCheck: false,
          defaultValue: view.userId,
        }}
      />
      <TextField
        id="password"
        label={login.password}
        fault={faultAt(texts, view, "password")}
        input={{ name: "password", type: "password", autoComplete: "current-password" }}
      />
      <Actions>
        <Button>{login.submit}</Button>
        <CancelButton label={texts.frame.cancel} />
      </Actions>
    </PostForm>
  );
}

function wordsFor(texts: Texts, { page, kind, bankName, tpp }: LoginView) {
  if (page === "login-again") return texts.loginAgain;
  if (page === "not-yours") return texts.notYours;
  return {
    heading: texts.login.heading(bankName),
    lead: texts.login.lead[kind](texts.quoted(tpp.name)),
  };
}

/** Which accounts? The PSU picks accounts, not kinds of data. */
function AccountsQuestion({ texts, view }: Shown<AccountsView>) {
  const { accounts } = texts;
  const fault = faultAt(texts, view, "accounts");
  // The form comes back as it was sent: with nothing ticked, if that was what was wrong.
  const keep = view.outcome?.outcome !== "nothing-selected";
  return (
    <Question
      texts={texts}
      frame={view}
      heading={accounts.heading}
      step={2}
      path={pagePath(view.uid, "accounts")}
    >
      <Lead>{accounts.lead(texts.quoted(view.tpp.name), view.rights)}</Lead>
      {keep && view.asBefore && <Lead>{accounts.asBefore(texts.quoted(view.tpp.name))}</Lead>}
      <PostForm action={formPath(view.uid, "accounts")} token={view.tokens.accounts}>
        <Choices
          id="accounts"
          legend={accounts.legend}
          all={{ label: accounts.all, hint: accounts.allHint }}
          fault={fault}
        >
          {view.accounts.map(({ account, preselected }, at) => (
            <Choice
              key={account.id}
              id={at === 0 ? "accounts" : `accounts-${at + 1}`}
              name="account"
              value={account.id}
              checked={keep && preselected}
              tag={account.status === "blocked" ? accounts.blocked : undefined}
            >
              <AccountText {...account} />
            </Choice>
          ))}
        </Choices>
        <Actions>
          <Button>{accounts.submit}</Button>
          <CancelButton label={texts.frame.cancel} />
        </Actions>
      </PostForm>
    </Question>
  );
}

/** Is this what you want? Everything the code confirms is on the page where it is entered. */
function SummaryQuestion({ texts, view }: Shown<SummaryView>) {
  const { accounts, replacesEarlier } = view.summary;
  const tpp = texts.quoted(view.tpp.name);
  return (
    <Question
      texts={texts}
      frame={view}
      heading={texts.summary.heading(tpp, accounts.length)}
      step={3}
    >
      <SummaryTerms texts={texts} view={view} />
      <Lead>{texts.summary.consequences(tpp, view.bankName, replacesEarlier)}</Lead>
      <CodePanel texts={texts} view={view} />
    </Question>
  );
}

/** Who gets what of which accounts, until when and how often. */
function SummaryTerms({ texts, view }: Shown<SummaryView>) {
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
              <AccountText {...account} />
              <OnlyData texts={texts} all={rights} own={own} />
            </li>
          ))}
        </AccountList>
        <a href={pagePath(uid, "accounts")}>{words.change}</a>
      </Term>
      <Term label={words.until}>
        {recurring ? texts.day(consent.validUntil) : words.untilOneOff(limits.oneOffMinutes)}
      </Term>
      <Term label={words.howOften}>
        {recurring
          ? words.perDay(texts.quoted(view.tpp.name), consent.frequencyPerDay)
          : words.oneOff(texts.quoted(view.tpp.name))}
      </Term>
    </Terms>
  );
}

/** May this card's issuer ask whether there is enough? The account is the one that it has named. */
function FundsQuestion({ texts, view }: Shown<FundsView>) {
  const { funds: words } = texts;
  const tpp = texts.quoted(view.tpp.name);
  const { account, lastDay } = view.funds;
  return (
    <Question texts={texts} frame={view} heading={words.heading(tpp)} step={2}>
      <Terms>
        <Term label={words.account}>
          <AccountText {...account} />
        </Term>
        <TppTerm texts={texts} tpp={view.tpp} label={words.issuer} />
        <Term label={words.card}>
          <Card texts={texts} view={view} />
        </Term>
        <Term label={words.until}>
          {lastDay === undefined ? words.untilEnded : texts.day(lastDay)}
        </Term>
      </Terms>
      <Lead>{words.consequences(tpp, view.bankName)}</Lead>
      <CodePanel texts={texts} view={view} />
    </Question>
  );
}

/** What the issuer says of the card, each piece on a line of its own. */
function Card({ texts: { funds: words }, view }: Shown<FundsView>) {
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

/** Is this what you want to pay? Amount and payee are those of the text message (RTS art. 5(1)). */
function PaymentQuestion({ texts, view }: Shown<PaymentView>) {
  const { order, refusal, limits, fundsAvailable } = view.payment;
  const { amount, creditor, rejectWithoutFunds } = order;
  const { payment: words } = texts;
  const { leaves, final } = words.consequences;
  const lacksFunds = refusal === undefined && !fundsAvailable;
  return (
    <Question
      texts={texts}
      frame={view}
      heading={words.heading(amount, texts.quoted(creditor.name))}
      step={2}
    >
      <PaymentTerms texts={texts} view={view} />
      {refusal !== undefined && (
        <Warning title={words.refusalHeading} text={words.refusals[refusal](limits)} />
      )}
      {lacksFunds && (
        <Warning
          title={words.noFundsHeading}
          text={words.noFunds[rejectWithoutFunds ? "refused" : "waits"]}
        />
      )}
      <Lead>{lacksFunds ? final : `${leaves} ${final}`}</Lead>
      <CodePanel texts={texts} view={view} />
    </Question>
  );
}

/** Everything that the code confirms; the execution date is the one of a payment that is confirmed now. */
function PaymentTerms({ texts, view }: Shown<PaymentView>) {
  const { order, account, debit, fee, rate, refusal, fundsAvailable } = view.payment;
  const executionDate =
    refusal === undefined && fundsAvailable ? view.payment.executionDate : undefined;
  const { payment: words } = texts;
  const converted = debit.amount.currency !== order.amount.currency;
  const charges = words.charges[order.chargeBearer];
  return (
    <Terms>
      <TppTerm texts={texts} tpp={view.tpp} />
      <Term label={words.amount}>
        <strong>{texts.money(order.amount)}</strong>
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
        <AccountText {...account} />
      </Term>
      {converted && <Term label={words.debited}>{words.converted(debit.amount, rate)}</Term>}
      <Term label={words.fees}>
        {fee.minorUnits === 0n ? words.noFee : words.fee(fee, debit.fee)}
        {charges !== undefined && <Detail>{charges}</Detail>}
      </Term>
      <Term label={words.execution}>
        {words.executed[order.product]}
        {executionDate !== undefined && (
          <Detail>{words.executionDate(texts.day(executionDate))}</Detail>
        )}
      </Term>
    </Terms>
  );
}

type CreditorTermProps = { readonly texts: Texts; readonly creditor: Creditor };

/** Who is paid, as far as the order names the payee. */
function CreditorTerm({ texts: { quoted, payment: words }, creditor }: CreditorTermProps) {
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

type FaultNoticeProps = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly path: string;
  readonly view: FaultView;
};

/** Something failed here; the PSU can try again. */
function FaultNotice({ texts, bankName, path, view: { frame } }: FaultNoticeProps) {
  const notice = texts.alone.fault;
  const again = <ButtonLink href={path}>{texts.tryAgain}</ButtonLink>;
  if (frame === undefined) {
    return (
      <Alone texts={texts} bankName={bankName} path={path} notice={notice}>
        <Actions>{again}</Actions>
      </Alone>
    );
  }
  return (
    <Question texts={texts} frame={frame} heading={notice.heading}>
      <Lead>{notice.lead}</Lead>
      <Actions>
        {again}
        <CancelButton label={texts.frame.cancel} />
      </Actions>
    </Question>
  );
}

/** Nothing is left to answer; the button leads back to the TPP. */
function EndNotice({ texts, view }: Shown<EndView>) {
  const { heading, lead } = texts.ends[view.page];
  const { cancel, backTo } = texts.frame;
  const { kind, bankName, blockMinutes } = view;
  const tpp = texts.quoted(view.tpp.name);
  // Where nothing is decided yet, going back still decides it.
  const label = view.decided ? backTo(tpp) : cancel;
  return (
    <Question texts={texts} frame={view} heading={heading}>
      <Lead>{lead({ kind, tpp, bankName, blockMinutes })}</Lead>
      <Actions>
        <CancelButton label={label} />
      </Actions>
    </Question>
  );
}
