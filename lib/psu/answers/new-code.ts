import { beginChallenge } from "@/lib/domain/sca/begin-challenge";
import { sendNewCode } from "@/lib/domain/sca/open-challenge";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import { textsFor } from "../texts/texts-for";
import type { Visit } from "../visit";

/** Another code to the same phone, for the same accounts; or the first, where none has gone by itself. */
export async function answerNewCode(visit: Visit): Promise<Response> {
  const { house, authorisation, session, language, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const wording = textsFor(language).codeMessage;
  const send = authorisation.scaStatus === "psuAuthenticated" ? beginChallenge : sendNewCode;
  const { outcome } = await send(house, { authorisation, wording, byCode: true, now });
  switch (outcome) {
    case "ended":
    case "not-own-account":
      return afterTheEnd(visit);
    case "code-sent":
      return toPage(visit, (await isFirst(visit)) ? {} : { outcome: { outcome: "new-code-sent" } });
    case "passkey-asked":
      return toPage(visit);
    default:
      return toPage(visit, { outcome: { outcome } });
  }
}

/** There is no earlier one of which to say that it no longer works. */
async function isFirst({ house, authorisation }: Visit): Promise<boolean> {
  const { scaStatus, psuId, challenge } = authorisation;
  if (scaStatus === "psuAuthenticated") return true;
  if (challenge !== undefined || psuId === undefined) return false;
  return (await house.passkeys.ofPsu(psuId)).length > 0;
}
