import { after } from "../clock";
import { newNonce, passkeyChallenge } from "../passkeys/challenge";
import type { Passkey } from "../passkeys/passkey";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";
import { type SubjectPorts, subjectOf } from "./subject";

type Asked = { readonly authorisation: Authorisation; readonly now: Date };

export type PasskeyAsked =
  | {
      readonly outcome: "challenged";
      readonly challenge: string;
      /** Any of these may sign it. */
      readonly passkeys: readonly Passkey[];
    }
  | { readonly outcome: "no-passkey" }
  | { readonly outcome: "ended" };

/** A fresh challenge for what the authorisation stands for now; an earlier one of this kind is dead. */
export async function openPasskeyChallenge(
  ports: SubjectPorts & Pick<Ports, "passkeys">,
  { authorisation, now }: Asked,
): Promise<PasskeyAsked> {
  const { id, resourceId, psuId, selection, scaStatus } = authorisation;
  if (scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  const subject = await subjectOf(ports, authorisation, now);
  if (subject === undefined) return { outcome: "ended" };
  const passkeys = await ports.passkeys.ofPsu(psuId);
  if (passkeys.length === 0) return { outcome: "no-passkey" };

  const nonce = newNonce();
  const expiresAt = after(now, ports.profile.sca.passkeyMinutes, "minute");
  const open = { nonce, expiresAt };
  const started = await ports.authorisations.startPasskeyChallenge(id, selection, open, now);
  if (!started) return { outcome: "ended" };
  const { linked } = subject;
  const challenge = await passkeyChallenge({ authorisationId: id, resourceId, nonce, linked });
  return { outcome: "challenged", challenge, passkeys };
}
