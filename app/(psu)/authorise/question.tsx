import type { ReactNode } from "react";
import { Button, ButtonLink } from "@/components/button";
import { type FieldFault, PostForm } from "@/components/form";
import { TimeLimit } from "@/components/frame";
import { Caption, Card } from "@/components/text";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type { Frame } from "@/lib/psu/frame";
import { type OutcomePlace, outcomes } from "@/lib/psu/outcome";
import { formPath, pagePath } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/en";
import { fieldFault, PsuPage, type Said } from "../psu-page";

/** How many pages a request has. Only accounts to share are chosen on one of their own. */
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

/** A page with one question, and one button that leads back to the TPP. */
export function Question({ texts, frame, heading, step, path, children }: Props) {
  const here = path ?? pagePath(frame.uid);
  return (
    <PsuPage
      texts={texts}
      frame={frame}
      heading={heading}
      path={here}
      said={saidOf(texts, frame)}
      timeLimit={!frame.decided && <RequestTime texts={texts} frame={frame} path={here} />}
    >
      <Caption strong>{texts.frame.request[frame.kind](texts.quoted(frame.tpp.name))}</Caption>
      <Card>
        {step !== undefined && <Caption>{texts.frame.step(step, STEPS[frame.kind])}</Caption>}
        <h1>{heading}</h1>
        {children}
        <CancelForm frame={frame} />
      </Card>
    </PsuPage>
  );
}

type RequestTimeProps = { readonly texts: Texts; readonly frame: Frame; readonly path: string };

function RequestTime({ texts, frame, path }: RequestTimeProps) {
  const { openUntil, inactivity, backTo } = texts.frame;
  const { uid, tokens, limits, inactivityMinutes } = frame;
  const again = path === pagePath(uid, "accounts");
  return (
    <TimeLimit
      texts={texts}
      limits={limits}
      inactivityMinutes={inactivityMinutes}
      end={texts.timeLimit.request}
      stay={{ action: formPath(uid, "stay"), token: tokens.stay }}
      fields={again && <input type="hidden" name="again" value="accounts" />}
      whenSignedOut={<ButtonLink href={path}>{texts.timeLimit.signInAgain}</ButtonLink>}
      whenClosed={<CancelButton label={backTo(texts.quoted(frame.tpp.name))} />}
    >
      <span data-limit-text>{openUntil(frame.openUntil, frame.timeZone)}</span>{" "}
      {inactivity(inactivityMinutes)}
    </TimeLimit>
  );
}

function saidOf(texts: Texts, { outcome }: Pick<Frame, "outcome">): Said | undefined {
  if (outcome === undefined) return undefined;
  const { outcome: name, attemptsLeft, waitSeconds } = outcome;
  const text = texts.outcomes[name](attemptsLeft ?? waitSeconds);
  return { place: outcomes[name].place, text };
}

export function faultAt(
  texts: Texts,
  frame: Pick<Frame, "outcome">,
  field: OutcomePlace,
): FieldFault | undefined {
  return fieldFault(texts, saidOf(texts, frame), field);
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
