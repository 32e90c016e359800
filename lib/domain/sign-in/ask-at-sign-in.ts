import type { Ports } from "../ports";
import { type AskedToSend, type SignInCodeSent, sendSignInCode } from "./sign-in-code";

type AskingPorts = Pick<Ports, "passkeys" | "signIns" | "oneTimeCodes" | "textBudget" | "profile">;

/** A code goes to the phone, unless the PSU has a passkey. Then none is sent until the PSU asks for it. */
export async function askAtSignIn(
  ports: AskingPorts,
  asked: AskedToSend,
): Promise<SignInCodeSent | { readonly outcome: "passkey-asked" }> {
  const own = await ports.passkeys.ofPsu(asked.signIn.psuId);
  return own.length > 0 ? { outcome: "passkey-asked" } : sendSignInCode(ports, asked);
}
