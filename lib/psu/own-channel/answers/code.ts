import { seeOther } from "../../see-other";
import { ownPath, signInPath } from "../paths";
import type { OwnVisit } from "../visit";
import { askAgain, complete } from "./complete";

/** The code from the phone, the second element. */
export async function answerCode(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, session } = visit;
  const to = ownPath(form.get("to"));
  // The page knows where a second click leads on to.
  if (session.state !== "password") return seeOther(signInPath(to));
  const code = form.get("code")?.replace(/[\s-]/g, "") ?? null;
  if (code === null || code === "") return askAgain(visit, to, { outcome: "code-missing" });
  // What cannot be a code takes no attempt.
  if (code.length !== house.profile.sca.codeDigits || !/^[0-9]+$/.test(code)) {
    return askAgain(visit, to, { outcome: "code-malformed" });
  }
  return complete(visit, { signIn: session.signIn, proof: { method: "code", code }, to });
}
