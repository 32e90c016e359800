import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import type { Proof } from "@/lib/domain/sca/proof";
import { finish } from "../finish";
import { afterTheEnd } from "../leave";
import { toPage } from "../see-other";
import type { Visit } from "../visit";

/** What comes of the PSU's yes, whichever way it was proved. */
export async function complete(visit: Visit, proof: Proof): Promise<Response> {
  const { house, authorisation, now } = visit;
  const completion = await completeAuthorisation(house, { authorisation, proof, now });
  switch (completion.outcome) {
    case "finalised":
      return finish(visit);
    case "rejected":
      return toPage(visit);
    case "ended":
      return afterTheEnd(visit);
    default:
      return toPage(visit, { outcome: completion });
  }
}
