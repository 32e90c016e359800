import { openSignInPasskeyChallenge } from "@/lib/domain/sign-in/passkey-challenge";
import { requestOptions } from "../../passkeys/request-options";
import { readAssertion } from "../../passkeys/wire";
import { seeOther } from "../../see-other";
import { ownPath, signInPath } from "../paths";
import type { OwnVisit } from "../visit";
import { askAgain, complete } from "./complete";

/** What a passkey is to sign; asked for by the page's own script. */
export async function answerSignInChallenge(visit: OwnVisit): Promise<Response> {
  const { house, session, now } = visit;
  if (session.state !== "password") return seeOther(signInPath(undefined));
  const asked = await openSignInPasskeyChallenge(house, { signIn: session.signIn, now });
  if (asked.outcome !== "challenged") return seeOther(signInPath(undefined));
  const options = requestOptions(house, asked);
  return Response.json({ options }, { headers: { "Cache-Control": "no-store" } });
}

/** The signature, the second element. What cannot be one takes no attempt. */
export async function answerSignInPasskey(
  visit: OwnVisit,
  form: URLSearchParams,
): Promise<Response> {
  const { session } = visit;
  const to = ownPath(form.get("to"));
  if (session.state !== "password") return seeOther(signInPath(to));
  const assertion = readAssertion(form.get("assertion"));
  if (assertion === undefined) return askAgain(visit, to, { outcome: "passkey-missing" });
  const proof = { method: "passkey", assertion } as const;
  return complete(visit, { signIn: session.signIn, proof, to });
}
