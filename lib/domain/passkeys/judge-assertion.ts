import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import type { Passkey, PasskeyAssertion } from "./passkey";

export type PasskeyPorts = Pick<Ports, "passkeys" | "passkeyVerifier">;

type Question = {
  readonly psuId: PsuId;
  readonly assertion: PasskeyAssertion;
  readonly challenge: string;
  readonly now: Date;
};

/** What was signed by which key: with it anybody can verify the signature again. */
export type Signed = Pick<Passkey, "credentialId" | "publicKey"> &
  Pick<PasskeyAssertion, "clientDataJson" | "authenticatorData" | "signature">;

/**
 * The signature, when one of this PSU's passkeys has signed this challenge. The counter is kept by a conditional
 * update, so of two that hold the same signature, or the same key, one is refused.
 */
export async function judgeAssertion(
  { passkeys, passkeyVerifier }: PasskeyPorts,
  { psuId, assertion, challenge, now }: Question,
): Promise<Signed | undefined> {
  const own = await passkeys.ofPsu(psuId);
  const passkey = own.find(({ credentialId }) => credentialId === assertion.credentialId);
  if (passkey === undefined) return undefined;
  const verified = await passkeyVerifier.verify(assertion, { passkey, challenge });
  if (verified === undefined) return undefined;
  if (!(await passkeys.use(passkey.id, verified.counter, now))) return undefined;
  const { credentialId, publicKey } = passkey;
  const { clientDataJson, authenticatorData, signature } = assertion;
  return { credentialId, publicKey, clientDataJson, authenticatorData, signature };
}
