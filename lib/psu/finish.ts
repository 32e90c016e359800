import { depart, departurePath } from "./departure";
import { toPage } from "./see-other";
import { closeSession } from "./session";
import type { Visit } from "./visit";

/** The PSU has confirmed: the answer that leads to the TPP's code. */
export async function finish(visit: Visit): Promise<Response> {
  const departure = await accepted(visit);
  return departure === undefined ? toPage(visit) : depart(visit.house, departure);
}

/** The same for a page that finds the authorisation confirmed already; undefined when that is no longer valid. */
export async function finishPath(visit: Visit): Promise<string | undefined> {
  const departure = await accepted(visit);
  return departure && departurePath(visit.house, departure);
}

/**
 * Hands over to the authorisation server, at whose address the browser fetches the code. The session
 * is over with it. Its cookie stays: only by it can a second click on Confirm be recognised, whose
 * first answer the browser has dropped.
 */
async function accepted(visit: Visit) {
  const { house, interaction, authorisation, tpp, cookieHeader, session, now } = visit;
  const yes = { authorisationId: authorisation.id };
  const location = await house.interactions.accept(interaction, cookieHeader, yes);
  if (location === undefined) return undefined;
  await closeSession(house, session, now);
  return { location, tppName: tpp.name, uiLocales: interaction.uiLocales };
}
