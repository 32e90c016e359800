import { openPasskeyChallenge } from "@/lib/domain/sca/open-passkey-challenge";
import { requestOptions } from "../passkeys/request-options";
import { readAssertion } from "../passkeys/wire";
import { toPage } from "../see-other";
import type { Visit } from "../visit";
import { complete } from "./complete";

/** What a passkey is to sign; asked for by the page's own script. Whom it is not for is led to the page. */
export async function answerPasskeyChallenge(visit: Visit): Promise<Response> {
  const { house, authorisation, session, now } = visit;
  if (session.state !== "own") return toPage(visit);
  const asked = await openPasskeyChallenge(house, { authorisation, now });
  if (asked.outcome !== "challenged") return toPage(visit);
  const options = requestOptions(house, asked);
  return Response.json({ options }, { headers: { "Cache-Control": "no-store" } });
}

/** The PSU's yes: the signature decides. What cannot be one takes no attempt. */
export async function answerPasskey(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { authorisation, session } = visit;
  if (session.state !== "own" || authorisation.scaStatus !== "started") return toPage(visit);
  const assertion = readAssertion(form.get("assertion"));
  if (assertion === undefined) return toPage(visit, { outcome: { outcome: "passkey-missing" } });
  return complete(visit, { method: "passkey", assertion });
}
