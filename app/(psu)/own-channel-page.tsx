import type { ReactNode } from "react";
import { Actions, ButtonLink, TextButton } from "@/components/button";
import { type FieldFault, PostForm } from "@/components/form";
import { BankDocument, TimeLimit } from "@/components/frame";
import { Card, TopLine } from "@/components/text";
import type { OwnFrame } from "@/lib/psu/frame";
import { pageLanguage } from "@/lib/psu/language";
import { type OutcomePlace, type OwnOutcome, outcomes } from "@/lib/psu/outcome";
import { pageProfile } from "@/lib/psu/page-services";
import type { Texts } from "@/lib/psu/texts/en";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { Alone, fieldFault, PsuPage, type Said } from "./psu-page";

type OwnView = OwnFrame & { readonly outcome?: OwnOutcome | undefined };

type Props = {
  readonly texts: Texts;
  readonly view: OwnView;
  /** Where this very page is found again. */
  readonly path: string;
  readonly heading: string;
  readonly children: ReactNode;
};

/** A page of the bank's own channel, with the sign-out once signed in. */
export function OwnPage({ texts, view, path, heading, children }: Props) {
  return (
    <PsuPage
      texts={texts}
      frame={view}
      heading={heading}
      path={path}
      said={saidOf(texts, view)}
      timeLimit={<OwnTime texts={texts} view={view} path={path} />}
    >
      {view.signedIn && (
        <TopLine>
          <PostForm action="/sign-out/now" token={view.signOutToken}>
            <TextButton>{texts.signIn.signOut}</TextButton>
          </PostForm>
        </TopLine>
      )}
      <Card>
        <h1>{heading}</h1>
        {children}
      </Card>
    </PsuPage>
  );
}

function OwnTime({ texts, view, path }: Pick<Props, "texts" | "view" | "path">) {
  const { limits, inactivityMinutes, stayToken } = view;
  const limit = texts.signIn.inactivity(inactivityMinutes);
  const signInAgain = <ButtonLink href={path}>{texts.timeLimit.signInAgain}</ButtonLink>;
  if (limits === undefined) return <p>{limit}</p>;
  return (
    <TimeLimit
      texts={texts}
      limits={limits}
      inactivityMinutes={inactivityMinutes}
      end={texts.timeLimit.session}
      stay={{ action: "/sign-in/stay", token: stayToken }}
      fields={<input type="hidden" name="back" value={path} />}
      whenSignedOut={signInAgain}
      whenClosed={signInAgain}
    >
      {limit}
    </TimeLimit>
  );
}

function saidOf(texts: Texts, view: OwnView): Said | undefined {
  if (view.outcome === undefined) return undefined;
  const { outcome: name, attemptsLeft, waitSeconds } = view.outcome;
  const text = texts.signIn.outcomes[name](attemptsLeft ?? waitSeconds, view);
  return { place: outcomes[name].place, text };
}

export function ownFaultAt(
  texts: Texts,
  view: OwnView,
  field: OutcomePlace,
): FieldFault | undefined {
  return fieldFault(texts, saidOf(texts, view), field);
}

/** The page that was asked for, or the one that says that something failed here. */
export async function ownChannel<View>(
  path: string,
  loading: Promise<View | "fault">,
  show: (texts: Texts, view: View) => ReactNode,
) {
  const texts = textsFor(await pageLanguage());
  const view = await loading;
  if (view !== "fault") return show(texts, view);
  return (
    <Alone texts={texts} bankName={pageProfile().name} notice={texts.alone.fault} path={path}>
      <Actions>
        <ButtonLink href={path}>{texts.tryAgain}</ButtonLink>
      </Actions>
    </Alone>
  );
}

/** The root of every page of the bank's own channel. */
export async function OwnDocument({ children }: { readonly children: ReactNode }) {
  return <BankDocument language={await pageLanguage()}>{children}</BankDocument>;
}
