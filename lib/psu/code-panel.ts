import { after } from "@/lib/domain/clock";
import type { Visit } from "./visit";

/** The code that is asked for on the page that shows all it stands for. */
export type CodePanel = {
  readonly digits: number;
  /** Absent when none has been sent. */
  readonly sentAt?: Date | undefined;
  readonly expired: boolean;
  readonly newCodePossible: boolean;
  /** The sandbox's phone belongs to this user ID. */
  readonly phoneOf?: string | undefined;
};

export async function codePanelOf({ house, authorisation, now }: Visit): Promise<CodePanel> {
  const { psuId, challenge, codesSent } = authorisation;
  const { codeDigits, codeMinutes, codesSentMax } = house.profile.sca;
  const shown = house.config.SANDBOX && psuId !== undefined;
  const psu = shown ? await house.psuDirectory.find(psuId) : undefined;
  return {
    digits: codeDigits,
    sentAt: challenge && after(challenge.expiresAt, -codeMinutes, "minute"),
    expired: challenge !== undefined && now >= challenge.expiresAt,
    newCodePossible: codesSent < codesSentMax,
    phoneOf: psu?.userId,
  };
}
