import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";

/** The PSU's no. What has been decided already stays as it is: cancelling twice is harmless. */
export async function cancelAuthorisation(
  ports: Pick<Ports, "authorisations" | "profile">,
  { authorisation, now }: { readonly authorisation: Authorisation; readonly now: Date },
): Promise<void> {
  const on = dayIn(ports.profile.timeZone, now);
  await ports.authorisations.fail({ id: authorisation.id, because: "cancelled", on, at: now });
}
