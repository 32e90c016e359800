import type { ReactNode } from "react";
import { Button, ButtonLink } from "@/components/button";
import { type FieldFault, PostForm } from "@/components/form";
import { LanguageSwitch, TimeLimit } from "@/components/frame";
import { ErrorSummary, GoodNews } from "@/components/notice";
import { BankPage, NoticePage } from "@/components/page";
import { Caption, Card, Detail, Term } from "@/components/text";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type { Tpp } from "@/lib/domain/tpp";
import type { Frame } from "@/lib/psu/frame";
import type { Outcome } from "@/lib/psu/outcome";
import { formPath, pagePath } from "@/lib/psu/paths";
import type { Notice, OutcomePlace, Texts } from "@/lib/psu/texts/types";

/** Pages on the way. Only accounts to share are chosen on one of their own. */
const STEPS: Readonly<Record<ResourceKind, number>> = { AIS: 3, PIIS: 2, PIS: 2 };

type Props = {
  readonly texts: Texts;
  readonly frame: Frame;
  readonly heading: string;
  readonly step?: 1 | 2 | 3;
  /** Where this very question is found again. */
  readonly path?: string;
  readonly children: ReactNode;
};

/** A page on which there is one thing to answer, and one way back. */
export function Question({ texts, frame, heading, step, path, children }: Props) {
  const title = texts.title(heading, frame.bankName);
  return (
    <BankPage
      title={isError(texts, frame.outcome) ? texts.errorTitle(title) : title}
      bankName={frame.bankName}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path ?? pagePath(frame.uid)} />}
      footer={<RequestFooter texts={texts} frame={frame} path={path ?? pagePath(frame.uid)} />}
    >
      <OutcomeSummary texts={texts} outcome={frame.outcome} />
      <Caption strong>{texts.frame.request[frame.kind](texts.quoted(frame.tpp.name))}</Caption>
      <Card>
        {step !== undefined && <Caption>{texts.frame.step(step, STEPS[frame.kind])}</Caption>}
        <h1>{heading}</h1>
        {children}
        <CancelForm frame={frame} />
      </Card>
    </BankPage>
  );
}

type RequestFooterProps = {
  readonly texts: Texts;
  readonly frame: Frame;
  /** Where this very question is found again. */
  readonly path: string;
};

/** How long a page stays open, as long as there is something to answer; and what the bank never does. */
function RequestFooter({ texts, frame, path }: RequestFooterProps) {
  const { phishing, sandbox, sandboxPeople } = texts.frame;
  return (
    <>
      {!frame.decided && <RequestTime texts={texts} frame={frame} path={path} />}
      <p>{phishing(frame.bankName)}</p>
      {frame.sandbox && (
        <p>
          {sandbox}{" "}
          <a href="/" target="_blank" rel="noreferrer">
            {sandboxPeople}
          </a>
        </p>
      )}
    </>
  );
}

function RequestTime({ texts, frame, path }: RequestFooterProps) {
  const { openUntil, inactivity, backTo } = texts.frame;
  const { uid, tokens, limits, inactivityMinutes } = frame;
  const again = path === pagePath(uid, "accounts");
  return (
    <TimeLimit
      texts={texts}
      limits={limits}
      inactivityMinutes={inactivityMinutes}
      stay={{ action: formPath(uid, "stay"), token: tokens.stay }}
      fields={again && <input type="hidden" name="again" value="accounts" />}
      whenSignedOut={<ButtonLink href={path}>{texts.timeLimit.signInAgain}</ButtonLink>}
      whenClosed={<CancelButton label={backTo(texts.quoted(frame.tpp.name))} />}
    >
      <span data-told>{openUntil(frame.openUntil, frame.timeZone)}</span>{" "}
      {inactivity(inactivityMinutes)}
    </TimeLimit>
  );
}

type OutcomeProps = { readonly texts: Texts; readonly outcome: Outcome | undefined };

/** What came of the last answer. */
function OutcomeSummary({ texts, outcome }: OutcomeProps) {
  if (outcome === undefined) return null;
  const { place, text } = texts.outcomes[outcome.outcome];
  const said = text(outcome.attemptsLeft ?? outcome.waitSeconds);
  if (place === "good-news") return <GoodNews text={said} />;
  const field = place === "page" ? undefined : place;
  return <ErrorSummary title={texts.frame.errorSummary} text={said} field={field} />;
}

/** Whether the title has to say so, before anything else is read out. */
function isError(texts: Texts, outcome: Outcome | undefined): boolean {
  return outcome !== undefined && texts.outcomes[outcome.outcome].place !== "good-news";
}

/** What is to be said at this field. */
export function faultAt(
  texts: Texts,
  outcome: Outcome | undefined,
  field: OutcomePlace,
): FieldFault | undefined {
  if (outcome === undefined) return undefined;
  const { place, text } = texts.outcomes[outcome.outcome];
  if (place !== field) return undefined;
  return {
    prefix: texts.frame.errorPrefix,
    text: text(outcome.attemptsLeft ?? outcome.waitSeconds),
  };
}

const FORM_ID = "cancel";

/** The form that Cancel buttons send: a form of its own, so that Enter never means Cancel. */
function CancelForm({ frame }: { readonly frame: Frame }) {
  return (
    <PostForm action={formPath(frame.uid, "cancel")} token={frame.tokens.cancel} id={FORM_ID}>
      <input type="hidden" name="ticket" value={frame.ticket} />
    </PostForm>
  );
}

export function CancelButton({ label }: { readonly label: string }) {
  return (
    <Button kind="counter" form={FORM_ID}>
      {label}
    </Button>
  );
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

type AloneProps = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly notice: Notice;
  /** Its own address, for the switch of languages. */
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
