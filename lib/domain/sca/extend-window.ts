import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";

type Asked = { readonly authorisation: Authorisation; readonly now: Date };

/** The end that no extension passes. */
export function lastWindowEnd(
  { sca }: Pick<AspspProfile, "sca">,
  { createdAt }: Pick<Authorisation, "createdAt">,
): Date {
  return after(createdAt, sca.windowMinutesMax, "minute");
}

/**
 * More time for the PSU (WCAG 2.2, 2.2.1): from now on a whole window again, up to the last end. What
 * is decided or over stays so, and comes back as it is.
 */
export async function extendWindow(
  { authorisations, profile }: Pick<Ports, "authorisations" | "profile">,
  { authorisation, now }: Asked,
): Promise<Authorisation> {
  const { id } = authorisation;
  const last = lastWindowEnd(profile, authorisation);
  const whole = after(now, profile.sca.windowMinutes, "minute");
  const until = new Date(Math.min(whole.getTime(), last.getTime()));
  const extended = await authorisations.extendWindow(id, until, now);
  return extended ?? (await authorisations.find(id)) ?? authorisation;
}
