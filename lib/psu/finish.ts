import { closeSession } from "./session";
import type { Visit } from "./visit";

/**
 * The PSU has confirmed: hands over to the authorisation server and gives the address at which the
 * browser fetches the code. The session is over with it. Its cookie stays: only by it can a second
 * click on Confirm be recognised, whose first answer the browser has dropped.
 */
export async function finish(visit: Visit): Promise<string> {
  const { house, interaction, authorisation, cookieHeader, session, now } = visit;
  const accepted = { authorisationId: authorisation.id };
  const location = await house.interactions.accept(interaction, cookieHeader, accepted);
  await closeSession(house, session, now);
  return location;
}
