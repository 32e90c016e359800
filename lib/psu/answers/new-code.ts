import { beginChallenge } from "@/lib/domain/sca/begin-challenge";
import { sendNewCode } from "@/lib/domain/sca/open-challenge";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import type { Visit } from "../visit";

/** Another code to the same phone, for the same accounts; or the first, where none went with the login. */
export async function answerNewCode(visit: Visit): Promise<Response> {
  const { house, authorisation, session, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const first = authorisation.scaStatus === "psuAuthenticated";
  const send = first ? beginChallenge : sendNewCode;
  const { outcome } = await send(house, { authorisation, now });
  switch (outcome) {
    case "ended":
    case "not-own-account":
      return afterTheEnd(visit);
    case "code-sent":
      return toPage(visit, first ? {} : { outcome: { outcome: "new-code-sent" } });
    default:
      return toPage(visit, { outcome: { outcome } });
  }
}
