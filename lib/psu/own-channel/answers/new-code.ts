import { sendSignInCode } from "@/lib/domain/sign-in/sign-in-code";
import { seeOther } from "../../see-other";
import { textsFor } from "../../texts/texts-for";
import { carryOwnOutcome } from "../outcome";
import { signInPath } from "../paths";
import type { OwnVisit } from "../visit";

/** A code, or another one, to the PSU's phone; the one before is worth nothing any more. */
export async function answerNewCode(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, session, language, now } = visit;
  const page = signInPath(form.get("to"));
  if (session.state !== "password") return seeOther(page);
  const wording = textsFor(language).signIn.codeMessage(house.profile.name);
  const { outcome } = await sendSignInCode(house, { signIn: session.signIn, wording, now });
  if (outcome === "ended") return seeOther(page);
  const where = { path: "/sign-in", config: house.config };
  // The first of a PSU who has a passkey takes no other's place.
  const first = outcome === "code-sent" && session.signIn.challenge === undefined;
  const said = outcome === "code-sent" ? "new-code-sent" : outcome;
  return seeOther(page, [await carryOwnOutcome(where, first ? undefined : { outcome: said })]);
}
