import type { Ports } from "../ports";
import { type Asked, type Challenged, type ChallengePorts, openChallenge } from "./open-challenge";

export type AskingPorts = ChallengePorts & Pick<Ports, "passkeys">;

/** `passkey-asked`: the authorisation waits, and no code is under way. */
export type AskedFor = Challenged | { readonly outcome: "passkey-asked" };

/**
 * Once it is fixed what the PSU is asked to confirm: a code goes to the phone, unless the PSU has a
 * passkey. Then nothing is sent until the PSU asks for a code.
 */
export async function askForProof(ports: AskingPorts, asked: Asked): Promise<AskedFor> {
  const { authorisation, selection, now } = asked;
  const { id, psuId } = authorisation;
  const own = psuId === undefined ? [] : await ports.passkeys.ofPsu(psuId);
  if (own.length === 0) return openChallenge(ports, asked);
  const selected = await ports.authorisations.select(id, selection, now);
  return { outcome: selected ? "passkey-asked" : "ended" };
}
