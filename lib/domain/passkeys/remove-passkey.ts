import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import type { PasskeyId } from "./passkey";

type Removing = {
  readonly id: PasskeyId;
  readonly psuId: PsuId;
  /** What the PSU reads on the phone, whoever has removed it. */
  readonly notice: string;
  readonly now: Date;
};

/** False, and nobody is told anything, when this PSU has no such passkey in use. */
export async function removePasskey(
  ports: Pick<Ports, "passkeys" | "oneTimeCodes">,
  { id, psuId, notice, now }: Removing,
): Promise<boolean> {
  if (!(await ports.passkeys.remove(id, psuId, now))) return false;
  // It is removed whether or not the phone can be reached.
  await ports.oneTimeCodes.send({ psuId, text: notice, sentAt: now });
  return true;
}
