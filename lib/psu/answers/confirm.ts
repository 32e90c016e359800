import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import { finish } from "../finish";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import type { Visit } from "../visit";

/** The PSU's yes: the code decides. */
export async function answerConfirm(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, session, now } = visit;
  // The page knows whom a finalised authorisation leads on; a second click comes by here.
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const code = form.get("code")?.replace(/[\s-]/g, "") ?? null;
  if (code === null || code === "") return toPage(visit, { outcome: { outcome: "code-missing" } });
  if (!isCode(code, house.profile.sca.codeDigits)) {
    return toPage(visit, { outcome: { outcome: "code-malformed" } });
  }

  const completion = await completeAuthorisation(house, { authorisation, code, now });
  switch (completion.outcome) {
    case "finalised":
      return finish(visit);
    case "rejected":
      return toPage(visit);
    case "ended":
      return afterTheEnd(visit);
    default:
      return toPage(visit, { outcome: completion });
  }
}

/** What cannot be a code takes no attempt. */
function isCode(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9]+$/.test(text);
}
