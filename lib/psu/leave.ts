import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { currentAuthorisation } from "@/lib/domain/sca/current-authorisation";
import { depart } from "./departure";
import { finish } from "./finish";
import { carryOutcome } from "./outcome";
import { refusalOf } from "./refusal";
import { toPage } from "./see-other";
import { closeSession } from "./session";
import type { Visit } from "./visit";
import { wayBack } from "./way-back";

/** Back to the TPP without a code: session and interaction end here. */
export async function leave(visit: Visit): Promise<Response> {
  const { house, interaction, authorisation, tpp, cookieHeader, session, now } = visit;
  const { uid, state, uiLocales } = interaction;
  const issuer = house.config.XS2A_URL;
  const refused = (await refusalOf(visit)) !== undefined;
  const location = wayBack(authorisation, { state, issuer, refused });
  await closeSession(house, session, now);
  await house.interactions.refuse(uid, cookieHeader);
  const departure = { location, tppName: tpp.name, uiLocales };
  return depart(house, departure, [await carryOutcome({ uid, config: house.config })]);
}

/**
 * For an answer that came too late or was one too many. The last failed attempt leads back to the
 * TPP; an authorisation that the same PSU has just confirmed (a double click) leads on; anything
 * else has a page that says what happened, also a user ID that is blocked or a payment that the bank
 * has refused.
 */
export async function afterTheEnd(visit: Visit): Promise<Response> {
  const authorisation = await authorisationNow(visit);
  if (authorisation === undefined) return toPage(visit);
  const { scaStatus, failedBecause } = authorisation;
  if (scaStatus === "finalised" && visit.session.state === "own") {
    const refusal = await refusalOf({ ...visit, authorisation });
    return refusal === undefined ? finish({ ...visit, authorisation }) : toPage(visit);
  }
  return failedBecause === "too-many-tries" ? leave({ ...visit, authorisation }) : toPage(visit);
}

/** What has become of it since the visit began. */
export function authorisationNow({
  house,
  authorisation,
  now,
}: Visit): Promise<Authorisation | undefined> {
  const { kind, resourceId, tppId } = authorisation;
  return currentAuthorisation(house, { kind, resourceId, tppId, now });
}
