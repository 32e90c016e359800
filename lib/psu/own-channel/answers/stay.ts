import { ownPage } from "../../own-page";
import { seeOther } from "../../see-other";
import { textsFor } from "../../texts/texts-for";
import { ownLimitsOf } from "../limits";
import type { OwnVisit } from "../visit";

/**
 * More time (WCAG 2.2, 2.2.1): asking for it was activity. The page's script asks for the new end and
 * stays where it is; anybody else is led back to the page, and so is who is signed out by now.
 */
export async function answerStay(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const limits = ownLimitsOf(visit);
  if (limits === undefined || form.get("answer") !== "json") {
    return seeOther(ownPage(form.get("back")));
  }
  const { inactivityMinutes } = visit.house.profile.ownChannel;
  const told = textsFor(visit.language).signIn.inactivity(inactivityMinutes);
  return Response.json({ ...limits, told }, { headers: { "Cache-Control": "no-store" } });
}
