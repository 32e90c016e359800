import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import { newPasskeyId, type PasskeyAdding, type PasskeyRegistration } from "./passkey";

type Enrolling = {
  /** Whose SCA is done (RTS art. 24(2)(b)): the passkey will stand for this PSU. */
  readonly psuId: PsuId;
  readonly registration: PasskeyRegistration;
  /** What the browser was given to make it with. */
  readonly challenge: string;
  /** The PSU's own word for it. */
  readonly name: string;
  /** What the PSU reads on the phone, whoever has added it. */
  readonly notice: string;
  readonly now: Date;
};

export type Enrolment = { readonly outcome: PasskeyAdding | "not-understood" };

/** Adds a passkey, and tells the PSU by another way than the one it was added by. */
export async function enrolPasskey(
  ports: Pick<Ports, "passkeys" | "passkeyVerifier" | "oneTimeCodes" | "profile">,
  { psuId, registration, challenge, name, notice, now }: Enrolling,
): Promise<Enrolment> {
  const made = await ports.passkeyVerifier.verifyNew(registration, { challenge });
  if (made === undefined) return { outcome: "not-understood" };
  const { transports } = registration;
  const passkey = { ...made, id: newPasskeyId(), psuId, transports, name, createdAt: now };
  const outcome = await ports.passkeys.add(passkey, ports.profile.sca.passkeysMax);
  if (outcome !== "passkey-added") return { outcome };
  // It is added whether or not the phone can be reached.
  await ports.oneTimeCodes.send({ psuId, text: notice, sentAt: now });
  return { outcome };
}
