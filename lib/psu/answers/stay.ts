import { extendWindow } from "@/lib/domain/sca/extend-window";
import { isDecided } from "@/lib/domain/sca/sca-status";
import { toPage } from "../see-other";
import { textsFor } from "../texts/texts-for";
import { timeLimitsOf } from "../time-limits";
import type { Visit } from "../visit";

/**
 * More time (WCAG 2.2, 2.2.1): asking for it was activity of the session, and the window is extended
 * as well. The page's script asks for the new ends and stays where it is; anybody else is led back to
 * the page. Once somebody has signed in here, it takes that session: the interaction's cookie alone keeps nobody's
 * request open.
 */
export async function answerStay(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { house, now, language } = visit;
  const signedIn = visit.authorisation.psuId !== undefined;
  if (signedIn && visit.session.state !== "own") {
    return toPage(visit, { outcome: { outcome: "time-after-sign-in" } });
  }
  const authorisation = await extendWindow(house, visit);
  if (isDecided(authorisation.scaStatus)) return toPage(visit);
  if (form.get("answer") === "json") {
    const { openUntil } = textsFor(language).frame;
    const told = openUntil(authorisation.expiresAt, house.profile.timeZone);
    const limits = timeLimitsOf({ ...visit, authorisation, now });
    return Response.json({ ...limits, told }, { headers: { "Cache-Control": "no-store" } });
  }
  const again = form.get("again") === "accounts" ? ({ again: "accounts" } as const) : {};
  return toPage(visit, { outcome: { outcome: "more-time" }, ...again });
}
