import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { PsuId } from "../identifiers";

/**
 * The texts that ask a PSU for something, over all authorisations, sign-ins and servers: who knows a
 * password can begin as many of these as they like, and each would wake the PSU's phone.
 */
export type TextBudget = {
  /** One text more; false, and nothing is counted, while as many as there may be are in the window. */
  readonly take: (psuId: PsuId, limits: TextLimits, now: Date) => Promise<boolean>;
};

export type TextLimits = {
  readonly textsMax: number;
  /** What was sent then or before is out of the window. */
  readonly since: Date;
};

export function textLimits({ sca }: AspspProfile, now: Date): TextLimits {
  return { textsMax: sca.textsPerHourMax, since: after(now, -1, "hour") };
}
