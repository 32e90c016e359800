import { z } from "zod";
import type { PsuHouse } from "./house";
import { seal, unseal } from "./sealed";
import { seeOther } from "./see-other";

/** Where the browser leaves the bank's pages for, and whom the PSU goes back to. */
export type Departure = {
  readonly location: string;
  readonly tppName: string;
  /** The TPP's word on the PSU's language, which the interaction takes with it when it is over. */
  readonly uiLocales?: string | undefined;
};

const content = z.object({
  location: z.url({ protocol: /^https?$/ }),
  tppName: z.string(),
  uiLocales: z.string().optional(),
});
const DEPARTURE_SECONDS = 600;

type Sealing = Pick<PsuHouse, "config">;

/**
 * The page that leads on to the TPP. Browsers hold every redirect that follows a form to the page's
 * `form-action`, and a TPP may redirect on to an origin the bank never heard of (an app's, say):
 * a PSU who was sent there straight from a form would be stopped on the way. A page in between ends
 * that chain, and the policy need not allow anybody but the bank itself.
 */
export async function departurePath({ config }: Sealing, departure: Departure): Promise<string> {
  const sealed = await seal(config.SESSION_SECRET, "psu-departure", departure, DEPARTURE_SECONDS);
  return leavingPath(sealed);
}

/** Part of the path, so that the page's frame knows it as well as the page. */
export function leavingPath(to: string): string {
  return `/authorise/leaving/${encodeURIComponent(to)}`;
}

export async function depart(
  house: Sealing,
  departure: Departure,
  cookies: readonly string[] = [],
): Promise<Response> {
  return seeOther(await departurePath(house, departure), cookies);
}

/** Only what this bank has sealed is followed: the page cannot be made to lead anywhere else. */
export function readDeparture({ config }: Sealing, to: unknown): Promise<Departure | undefined> {
  const sealed = typeof to === "string" ? to : undefined;
  return unseal(config.SESSION_SECRET, "psu-departure", sealed, content);
}
