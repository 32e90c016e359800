import { judgeAssertion, type PasskeyPorts } from "../passkeys/judge-assertion";
import type { PasskeyAssertion } from "../passkeys/passkey";
import type { Ports } from "../ports";
import type { Psu } from "../sca/psu-directory";
import { sha256 } from "../sha256";

/** What a passkey signs to be heard in spite of a block; it signs in nobody, and begins with a line of its own. */
export function unlockChallenge(nonce: string): Promise<string> {
  return sha256(["passkey unlock", nonce].join("\n"));
}

type Asked = {
  readonly assertion: PasskeyAssertion;
  readonly nonce: string;
  readonly now: Date;
};

/**
 * Whose passkey has signed; nobody has said a user ID, so nothing tells whether there is one. The owner may then
 * sign in at this browser while strangers block the user ID: with the password and a second element as ever, since what
 * was proved here is possession alone (RTS art. 9), within as many attempts of its own (art. 4(3)(b)). No failure is
 * counted: nobody guesses a signature, and whoever fails here has touched no password and no code.
 */
export async function unlock(
  ports: PasskeyPorts & Pick<Ports, "psuDirectory">,
  { assertion, nonce, now }: Asked,
): Promise<Psu | undefined> {
  const psuId = await ports.passkeys.ownerOf(assertion.credentialId);
  if (psuId === undefined) return undefined;
  const challenge = await unlockChallenge(nonce);
  const signed = await judgeAssertion(ports, { psuId, assertion, challenge, now });
  return signed && ports.psuDirectory.find(psuId);
}
