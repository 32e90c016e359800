import type { Texts } from "@/lib/psu/texts/texts";
import type { Frame } from "@/lib/psu/view";

type Props = { readonly texts: Texts; readonly frame: Frame; readonly decided: boolean };

/** How long a page stays open, and what the bank never does. */
export function RequestFooter({ texts, frame, decided }: Props) {
  const { openUntil, inactivity, phishing, sandbox, sandboxPeople } = texts.frame;
  return (
    <>
      {!decided && (
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
