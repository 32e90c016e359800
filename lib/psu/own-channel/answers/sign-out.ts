import { seeOther } from "../../see-other";
import { signInPath } from "../paths";
import { noOwnCookie } from "../session";
import type { OwnVisit } from "../visit";

/** The row is dead from now on, whoever holds a copy of the cookie. */
export async function answerSignOut(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { house, session, now } = visit;
  if ("signIn" in session) await house.signIns.revoke(session.signIn.session, now);
  const to = form.get("to");
  return seeOther(to === null ? "/sign-out" : signInPath(to), [noOwnCookie(house)]);
}
