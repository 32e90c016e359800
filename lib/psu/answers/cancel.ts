import { cancelAuthorisation } from "@/lib/domain/sca/cancel-authorisation";
import { isDecided } from "@/lib/domain/sca/sca-status";
import { authorisationNow, leave } from "../leave";
import { toPage } from "../see-other";
import type { Visit } from "../visit";

/** The PSU's no, or the way back when all is decided already. Works in every state. */
export async function answerCancel(visit: Visit): Promise<Response> {
  const { house, authorisation, now } = visit;
  if (isDecided(authorisation.scaStatus)) return leave(visit);
  await cancelAuthorisation(house, { authorisation, now });
  // In another tab it may have been confirmed a moment before: then there is nothing to refuse.
  const settled = await authorisationNow(visit);
  return settled?.scaStatus === "finalised" ? toPage(visit) : leave(visit);
}
