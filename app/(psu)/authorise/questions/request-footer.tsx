import { ButtonLink } from "@/components/button";
import { TimeLimit } from "@/components/time-limit";
import type { Frame } from "@/lib/psu/frame";
import { formPath, pagePath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import { CancelButton } from "./cancel";

type Props = {
  readonly texts: Texts;
  readonly frame: Frame;
  /** Where this very question is found again. */
  readonly path: string;
};

/** How long a page stays open, as long as there is something to answer; and what the bank never does. */
export function RequestFooter({ texts, frame, path }: Props) {
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

function RequestTime({ texts, frame, path }: Props) {
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
