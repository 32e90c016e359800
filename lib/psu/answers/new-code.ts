import { sendNewCode } from "@/lib/domain/sca/select-accounts";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import type { Visit } from "../visit";

/** Another code to the same phone, for the same accounts. */
export async function answerNewCode(visit: Visit): Promise<Response> {
  const { house, authorisation, session, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const { outcome } = await sendNewCode(house, { authorisation, now });
  switch (outcome) {
    case "ended":
      return afterTheEnd(visit);
    case "code-sent":
      return toPage(visit, { outcome: { outcome: "new-code-sent" } });
    default:
      return toPage(visit, { outcome: { outcome } });
  }
}
