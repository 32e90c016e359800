import type { Frame } from "@/lib/psu/frame";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly frame: Frame };

/** How long a page stays open, as long as there is something to answer; and what the bank never does. */
export function RequestFooter({ texts, frame }: Props) {
  const { openUntil, inactivity, phishing, sandbox, sandboxPeople } = texts.frame;
  return (
    <>
      {!frame.decided && (
        <p>
          {openUntil(frame.openUntil, frame.timeZone)} {inactivity(frame.inactivityMinutes)}
        </p>
      )}
      <p>{phishing(frame.bankName)}</p>
      {frame.sandbox && (
        <p className="sandbox">
          {sandbox}{" "}
          <a href="/" target="_blank" rel="noreferrer">
            {sandboxPeople}
          </a>
        </p>
      )}
    </>
  );
}
