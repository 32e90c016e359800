import { depart, departurePath } from "./departure";
import { closeSession } from "./session";
import type { Visit } from "./visit";

/** The PSU has confirmed: the answer that leads to the TPP's code. */
export async function finish(visit: Visit): Promise<Response> {
  return depart(visit.house, await accepted(visit));
}

/** The same for a page that finds the authorisation confirmed already. */
export async function finishPath(visit: Visit): Promise<string> {
  return departurePath(visit.house, await accepted(visit));
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
  await closeSession(house, session, now);
  return { location, tppName: tpp.name };
}
