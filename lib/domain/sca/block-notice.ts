import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import type { BlockNotice } from "./psu-attempts";
import { textLimits } from "./text-budget";

/** Tells a customer of a block that somebody may be causing in their name. */
export type BlockNotices = {
  /**
   * Returns at once, and the caller's answer does not wait for it: how long it takes would tell whether there is
   * such a user ID (P11).
   */
  readonly tell: (userId: string, notice: BlockNotice, now: Date) => void;
};

/** In which language a PSU last completed SCA. The browser that causes a notice need not be the PSU's. */
export type PsuLanguages = {
  readonly of: (psuId: PsuId) => Promise<string | undefined>;
  readonly keep: (psuId: PsuId, language: string) => Promise<void>;
};

type Notice = {
  readonly userId: string;
  /** In this language, or in the bank's own. */
  readonly wording: (language: string | undefined) => string;
  readonly now: Date;
};

/** Sends the notice, if anybody has this user ID. Codes cannot use up all of the hour's texts for it. */
export async function sendBlockNotice(
  ports: Pick<Ports, "psuDirectory" | "psuLanguages" | "textBudget" | "oneTimeCodes" | "profile">,
  { userId, wording, now }: Notice,
): Promise<void> {
  const psu = await ports.psuDirectory.findByUserId(userId);
  if (psu === undefined) return;
  const { textsMax, since } = textLimits(ports.profile, now);
  const limits = { textsMax: textsMax + ports.profile.sca.noticesPerHourMax, since };
  if (!(await ports.textBudget.take(psu.id, limits, now))) return;
  const text = wording(await ports.psuLanguages.of(psu.id));
  await ports.oneTimeCodes.send({ psuId: psu.id, text, sentAt: now });
}
