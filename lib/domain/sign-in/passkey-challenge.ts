import { after } from "../clock";
import { newNonce } from "../passkeys/challenge";
import type { Passkey } from "../passkeys/passkey";
import type { Ports } from "../ports";
import { sha256 } from "../sha256";
import type { SessionHash, SignIn } from "./sign-in-store";

type Bound = { readonly session: SessionHash; readonly nonce: string };

/**
 * What a passkey signs to sign in: for one browser, which alone has the session, and for one use. What is
 * signed for a payment or a consent begins with another line, and fits nothing here.
 */
export function signInPasskeyChallenge({ session, nonce }: Bound): Promise<string> {
  return sha256(["passkey sign-in", session, nonce].join("\n"));
}

type Asked = { readonly signIn: SignIn; readonly now: Date };

export type SignInPasskeyAsked =
  | {
      readonly outcome: "challenged";
      readonly challenge: string;
      /** Any of these may sign it. */
      readonly passkeys: readonly Passkey[];
    }
  | { readonly outcome: "no-passkey" | "ended" };

/** A fresh challenge, which ends as an authorisation's does; an earlier one is dead. */
export async function openSignInPasskeyChallenge(
  { passkeys, signIns, profile }: Pick<Ports, "passkeys" | "signIns" | "profile">,
  { signIn: { session, psuId }, now }: Asked,
): Promise<SignInPasskeyAsked> {
  const own = await passkeys.ofPsu(psuId);
  if (own.length === 0) return { outcome: "no-passkey" };
  const nonce = newNonce();
  const expiresAt = after(now, profile.sca.passkeyMinutes, "minute");
  if (!(await signIns.startPasskeyChallenge(session, { nonce, expiresAt }, now))) {
    return { outcome: "ended" };
  }
  const challenge = await signInPasskeyChallenge({ session, nonce });
  return { outcome: "challenged", challenge, passkeys: own };
}
