import { after } from "@/lib/domain/clock";
import type { Visit } from "./visit";

/** The code that is asked for on the page that shows all it stands for. */
export type CodePanel = {
  readonly digits: number;
  /** Absent when none has been sent. */
  readonly sentAt?: Date | undefined;
  readonly expired: boolean;
  readonly newCodePossible: boolean;
  /** The PSU has one, and may use it instead. */
  readonly passkey: boolean;
  /** The sandbox's phone belongs to this user ID. */
  readonly phoneOf?: string | undefined;
};

export async function codePanelOf({ house, authorisation, now }: Visit): Promise<CodePanel> {
  const { psuId, challenge, codesSent } = authorisation;
  const { codeDigits, codeMinutes, codesSentMax } = house.profile.sca;
  const { SANDBOX, SMS_GATEWAY_URL } = house.config;
  // With a gateway the texts go there, and the sandbox's phone stays silent.
  const shown = SANDBOX && SMS_GATEWAY_URL === undefined && psuId !== undefined;
  const psu = shown ? await house.psuDirectory.find(psuId) : undefined;
  return {
    digits: codeDigits,
    sentAt: challenge && after(challenge.expiresAt, -codeMinutes, "minute"),
    expired: challenge !== undefined && now >= challenge.expiresAt,
    newCodePossible: codesSent < codesSentMax,
    passkey: psuId !== undefined && (await house.passkeys.ofPsu(psuId)).length > 0,
    phoneOf: psu?.userId,
  };
}
