import type { ReactNode } from "react";
import { BankPage } from "@/components/bank-page";
import { ButtonLink } from "@/components/button";
import { Card } from "@/components/card";
import { LanguageSwitch } from "@/components/language-switch";
import { PostForm } from "@/components/post-form";
import { TextButton } from "@/components/text-button";
import { TimeLimit } from "@/components/time-limit";
import { TopLine } from "@/components/top-line";
import type { OwnFrame } from "@/lib/psu/own-channel/frame";
import type { OwnOutcome } from "@/lib/psu/own-channel/outcome";
import type { Texts } from "@/lib/psu/texts/texts";
import { isError, OwnOutcomeSummary } from "./own-outcome";

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
