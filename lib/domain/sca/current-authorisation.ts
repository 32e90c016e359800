import type { TppId } from "../identifiers";
import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { Authorisation, ResourceKind } from "./authorisation";
import { isDecided } from "./sca-status";

type Wanted = {
  readonly kind: ResourceKind;
  readonly resourceId: string;
  readonly tppId: TppId;
  readonly now: Date;
};

/**
 * The authorisation as it stands now. One whose window has run out is settled on the way: it comes
 * back `failed` and its resource is rejected, whether or not a job has passed by. Another TPP's is
 * undefined, like one that does not exist.
 */
export async function currentAuthorisation(
  ports: Pick<Ports, "authorisations" | "profile">,
  { kind, resourceId, tppId, now }: Wanted,
): Promise<Authorisation | undefined> {
  const found = await ports.authorisations.findByResource(kind, resourceId);
  if (found === undefined || found.tppId !== tppId) return undefined;
  return settleWindow(ports, found, now);
}

/** Fails an authorisation whose window is over; anything else comes back as it is. */
export async function settleWindow(
  ports: Pick<Ports, "authorisations" | "profile">,
  authorisation: Authorisation,
  now: Date,
): Promise<Authorisation> {
  if (isDecided(authorisation.scaStatus) || now < authorisation.expiresAt) return authorisation;
  const on = dayIn(ports.profile.timeZone, now);
  await ports.authorisations.fail({ id: authorisation.id, because: "window-over", on, at: now });
  const settled = await ports.authorisations.find(authorisation.id);
  // Somebody else may have decided it a moment before its end: the store has the last word.
  return settled ?? { ...authorisation, scaStatus: "failed" };
}
