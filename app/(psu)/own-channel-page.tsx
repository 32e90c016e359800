import type { ReactNode } from "react";
import { Actions, ButtonLink, TextButton } from "@/components/button";
import { type FieldFault, PostForm } from "@/components/form";
import { ClockNotice, LanguageSwitch, TimeLimit } from "@/components/frame";
import { ErrorSummary, GoodNews } from "@/components/notice";
import { BankPage, Document } from "@/components/page";
import { Card, TopLine } from "@/components/text";
import { aspspProfile } from "@/lib/domain/bank-profile";
import type { OwnFrame } from "@/lib/psu/frame";
import { pageLanguage } from "@/lib/psu/language";
import type { OwnOutcome } from "@/lib/psu/outcome";
import type { OwnOutcomePlace, Texts } from "@/lib/psu/texts/types";
import { Alone } from "./authorise/question";

type Props = {
  readonly texts: Texts;
  readonly frame: OwnFrame;
  /** Where this very page is found again. */
  readonly path: string;
  readonly heading: string;
  readonly outcome?: OwnOutcome | undefined;
  readonly signedIn: boolean;
  readonly children: ReactNode;
};

/** A page of the bank's own channel, with the way out of it for whoever has signed in. */
export function OwnPage({ texts, frame, path, heading, outcome, signedIn, children }: Props) {
  const title = texts.title(heading, frame.bankName);
  return (
    <BankPage
      title={isError(outcome, texts) ? texts.errorTitle(title) : title}
      bankName={frame.bankName}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path} />}
      footer={<OwnFooter texts={texts} frame={frame} path={path} />}
    >
      <OwnOutcomeSummary texts={texts} outcome={outcome} frame={frame} />
      {signedIn && (
        <TopLine>
          <PostForm action="/sign-out/now" token={frame.signOutToken}>
            <TextButton>{texts.signIn.signOut}</TextButton>
          </PostForm>
        </TopLine>
      )}
      <Card>
        <h1>{heading}</h1>
        {children}
      </Card>
    </BankPage>
  );
}

function OwnFooter({ texts, frame, path }: Pick<Props, "texts" | "frame" | "path">) {
  const { phishing, sandbox, sandboxPeople } = texts.frame;
  return (
    <>
      <OwnTime texts={texts} frame={frame} path={path} />
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

function OwnTime({ texts, frame, path }: Pick<Props, "texts" | "frame" | "path">) {
  const { limits, inactivityMinutes, stayToken } = frame;
  const told = texts.signIn.inactivity(inactivityMinutes);
  if (limits === undefined) return <p>{told}</p>;
  return (
    <TimeLimit
      texts={texts}
      limits={limits}
      inactivityMinutes={inactivityMinutes}
      stay={{ action: "/sign-in/stay", token: stayToken }}
      fields={<input type="hidden" name="back" value={path} />}
      whenSignedOut={<ButtonLink href={path}>{texts.timeLimit.signInAgain}</ButtonLink>}
    >
      {told}
    </TimeLimit>
  );
}

type Said = { readonly place: OwnOutcomePlace; readonly text: string };

function said(
  texts: Texts,
  { outcome, attemptsLeft, waitSeconds }: OwnOutcome,
  { bankName, blockMinutes }: OwnOutcomeProps["frame"],
): Said {
  if (outcome === "blocked") {
    return { place: "user-id", text: texts.signIn.blocked(blockMinutes, bankName) };
  }
  const { place, text } = texts.signIn.outcomes[outcome];
  return { place, text: text(attemptsLeft ?? waitSeconds) };
}

type OwnOutcomeProps = {
  readonly texts: Texts;
  readonly outcome: OwnOutcome | undefined;
  readonly frame: Pick<OwnFrame, "bankName" | "blockMinutes">;
};

/** What came of the last answer. */
function OwnOutcomeSummary({ texts, outcome, frame }: OwnOutcomeProps) {
  if (outcome === undefined) return null;
  const { place, text } = said(texts, outcome, frame);
  if (place === "good-news") return <GoodNews text={text} />;
  const field = place === "page" ? undefined : place;
  return <ErrorSummary title={texts.frame.errorSummary} text={text} field={field} />;
}

/** Whether the title has to say so, before anything else is read out. */
function isError(outcome: OwnOutcome | undefined, texts: Texts): boolean {
  if (outcome === undefined) return false;
  if (outcome.outcome === "blocked") return true;
  return texts.signIn.outcomes[outcome.outcome].place !== "good-news";
}

/** What is to be said at this field. */
export function ownFaultAt(
  { texts, outcome, frame }: OwnOutcomeProps,
  field: OwnOutcomePlace,
): FieldFault | undefined {
  if (outcome === undefined) return undefined;
  const { place, text } = said(texts, outcome, frame);
  return place === field ? { prefix: texts.frame.errorPrefix, text } : undefined;
}

type OwnFaultProps = { readonly texts: Texts; readonly path: string };

/** Something failed here. Trying again is the way on. */
export function OwnFault({ texts, path }: OwnFaultProps) {
  return (
    <Alone texts={texts} bankName={aspspProfile.name} notice={texts.alone.fault} path={path}>
      <Actions>
        <ButtonLink href={path}>{texts.tryAgain}</ButtonLink>
      </Actions>
    </Alone>
  );
}

/** The root of every page of the bank's own channel. */
export async function OwnDocument({ children }: { readonly children: ReactNode }) {
  const language = await pageLanguage();
  return (
    <Document lang={language}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}
