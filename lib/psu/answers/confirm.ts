import { toPage } from "../see-other";
import type { Visit } from "../visit";
import { complete } from "./complete";

/** The PSU's yes: the code decides. */
export async function answerConfirm(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, authorisation, session } = visit;
  // The page knows whom a finalised authorisation leads on; a second click comes by here.
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const code = form.get("code")?.replace(/[\s-]/g, "") ?? null;
  if (code === null || code === "") return toPage(visit, { outcome: { outcome: "code-missing" } });
  if (!isCode(code, house.profile.sca.codeDigits)) {
    return toPage(visit, { outcome: { outcome: "code-malformed" } });
  }

  return complete(visit, { method: "code", code });
}

/** What cannot be a code takes no attempt. */
function isCode(text: string, digits: number): boolean {
  return text.length === digits && /^[0-9]+$/.test(text);
}
