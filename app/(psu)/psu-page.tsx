import type { ReactNode } from "react";
import type { FieldFault } from "@/components/form";
import { LanguageSwitch } from "@/components/frame";
import { ErrorSummary, GoodNews } from "@/components/notice";
import { BankPage, NoticePage } from "@/components/page";
import { Detail, Term } from "@/components/text";
import type { AccessRights } from "@/lib/domain/accounts";
import type { Tpp } from "@/lib/domain/tpp";
import type { OutcomePlace } from "@/lib/psu/outcome";
import { pageProfile } from "@/lib/psu/page-services";
import type { Notice, Texts } from "@/lib/psu/texts/en";

/** What came of the last answer, in words. */
export type Said = { readonly place: OutcomePlace; readonly text: string };

type Props = {
  readonly texts: Texts;
  readonly frame: {
    readonly bankName: string;
    readonly sandbox: boolean;
    readonly webUrl: string;
  };
  readonly heading: string;
  /** Its own address, for the switch of languages. */
  readonly path: string;
  readonly said: Said | undefined;
  readonly timeLimit: ReactNode;
  readonly children: ReactNode;
};

/** The page of an authorisation, or of the bank's own channel. */
export function PsuPage({ texts, frame, heading, path, said, timeLimit, children }: Props) {
  const { bankName, sandbox, webUrl } = frame;
  const title = texts.title(heading, bankName);
  // What is wrong is in the title, which is read out before anything else.
  const isError = said !== undefined && said.place !== "good-news";
  return (
    <BankPage
      title={isError ? texts.errorTitle(title) : title}
      bankName={bankName}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path} />}
      footer={
        <>
          {timeLimit}
          <p>{texts.frame.phishing(bankName)}</p>
          <Address texts={texts} webUrl={webUrl} />
          <Support texts={texts} />
          {sandbox && <SandboxNotice texts={texts} />}
        </>
      }
    >
      {said !== undefined && <OutcomeNotice texts={texts} said={said} />}
      {children}
    </BankPage>
  );
}

/** How the bank's own page is told from a forged one; a sandbox without TLS has nothing to look for. */
function Address({ texts: { frame }, webUrl }: { readonly texts: Texts; readonly webUrl: string }) {
  const { protocol, host } = new URL(webUrl);
  return protocol === "https:" ? <p>{frame.address(host)}</p> : null;
}

function Support({ texts: { frame } }: { readonly texts: Texts }) {
  const { phone, email } = pageProfile().support;
  return <p>{frame.support(phone, email)}</p>;
}

function SandboxNotice({ texts: { frame } }: { readonly texts: Texts }) {
  return (
    <p>
      {frame.sandbox}{" "}
      <a href="/" target="_blank" rel="noreferrer">
        {frame.sandboxPeople}
      </a>
    </p>
  );
}

function OutcomeNotice({ texts, said }: { readonly texts: Texts; readonly said: Said }) {
  const { place, text } = said;
  if (place === "good-news") return <GoodNews text={text} />;
  const field = place === "page" ? undefined : place;
  return <ErrorSummary title={texts.frame.errorSummary} text={text} field={field} />;
}

export function fieldFault(
  texts: Texts,
  said: Said | undefined,
  field: OutcomePlace,
): FieldFault | undefined {
  if (said?.place !== field) return undefined;
  return { prefix: texts.frame.errorPrefix, text: said.text };
}

type TppTermProps = { readonly texts: Texts; readonly tpp: Tpp; readonly label?: string };

/** Who asks, as its certificate has it: name, registration number, authority. */
export function TppTerm({ texts: { quoted, tpp: words }, tpp, label = words.who }: TppTermProps) {
  return (
    <Term label={label}>
      <strong>
        <bdi>{quoted(tpp.name)}</bdi>
      </strong>
      <Detail>{words.registration(tpp.id)}</Detail>
      <Detail>{words.authority(tpp.authorityName, tpp.authorityId)}</Detail>
    </Term>
  );
}

type OnlyDataProps = {
  readonly texts: Texts;
  readonly all: AccessRights;
  readonly own: AccessRights;
};

/** Where less may be read of this account than of another. */
export function OnlyData({ texts, all, own }: OnlyDataProps) {
  const same =
    all.balances === own.balances &&
    all.transactions === own.transactions &&
    all.ownerName === own.ownerName;
  return same ? null : <Detail>{texts.summary.onlyData(own)}</Detail>;
}

type AloneProps = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly notice: Notice;
  readonly path: string;
  readonly children?: ReactNode;
};

/** A page that belongs to no authorisation. */
export function Alone({ texts, bankName, notice, path, children }: AloneProps) {
  return (
    <NoticePage
      title={texts.title(notice.heading, bankName)}
      bankName={bankName}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path} />}
      {...notice}
    >
      {children}
    </NoticePage>
  );
}
