import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import type { Proof } from "@/lib/domain/sca/proof";
import { finish } from "../finish";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import type { Visit } from "../visit";

/** What comes of the PSU's yes, whichever way it was proved. */
export async function complete(visit: Visit, proof: Proof): Promise<Response> {
  const { house, authorisation, language, unlockedFor, now } = visit;
  const given = { authorisation, proof, unlockedFor, now };
  const completion = await completeAuthorisation(house, given);
  switch (completion.outcome) {
    case "finalised":
      if (authorisation.psuId !== undefined) {
        await house.psuLanguages.keep(authorisation.psuId, language);
      }
      return finish(visit);
    case "rejected":
      return toPage(visit);
    case "ended":
      return afterTheEnd(visit);
    default:
      return toPage(visit, { outcome: completion });
  }
}
